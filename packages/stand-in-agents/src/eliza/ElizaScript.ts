/**
 * What Eliza knows: keywords with a weight, patterns for what stands around them, and replies that are used in turn. Patterns are words; `*`
 * stands for any number of words, `@family` for one word of a list. Replies may say `{n}`, the n-th star as it was said. They may say
 * `{n:r}`, the same seen from the other side (my → your). `=word` goes on with another keyword's rules.
 */
export interface Decomposition {
  readonly pattern: string
  readonly replies: ReadonlyArray<string>
}

export interface Keyword {
  readonly word: string
  /** Higher is answered first. */
  readonly weight: number
  readonly rules: ReadonlyArray<Decomposition>
}

export const lists: Readonly<Record<string, ReadonlyArray<string>>> = {
  family: ["mother", "father", "sister", "brother", "wife", "husband", "daughter", "son", "family", "parents"],
  feeling: ["sad", "unhappy", "depressed", "tired", "stuck", "worried", "afraid", "angry"],
  joy: ["happy", "glad", "proud", "better", "relieved"]
}

/** Spellings that are read as another word. */
export const repairs: Readonly<Record<string, string>> = {
  dont: "don't",
  cant: "can't",
  wont: "won't",
  im: "i'm",
  recollect: "remember",
  dreamt: "dream",
  dreamed: "dream",
  dreams: "dream",
  hi: "hello",
  hey: "hello",
  computers: "computer",
  machine: "computer",
  maybe: "perhaps",
  same: "alike",
  mum: "mother",
  mom: "mother",
  dad: "father"
}

/** The other side's view of a word. */
export const reflections: Readonly<Record<string, string>> = {
  i: "you",
  me: "you",
  my: "your",
  mine: "yours",
  myself: "yourself",
  am: "are",
  "i'm": "you are",
  you: "I",
  your: "my",
  yours: "mine",
  yourself: "myself"
}

export const keywords: ReadonlyArray<Keyword> = [
  {
    word: "sorry",
    weight: 1,
    rules: [{ pattern: "*", replies: ["There is no need to apologise.", "What do you feel when you apologise?"] }]
  },
  {
    word: "remember",
    weight: 5,
    rules: [
      {
        pattern: "* i remember *",
        replies: [
          "Do you often think of {2:r}?",
          "What else does thinking of {2:r} bring to mind?",
          "What in the present reminds you of {2:r}?"
        ]
      },
      {
        pattern: "* do you remember *",
        replies: ["Did you think that I would forget {2:r}?", "What about {2:r}?", "=what"]
      },
      { pattern: "*", replies: ["NEWKEY"] }
    ]
  },
  {
    word: "if",
    weight: 3,
    rules: [
      {
        pattern: "* if *",
        replies: ["Do you think it likely that {2:r}?", "Do you wish that {2:r}?", "What would follow if {2:r}?"]
      }
    ]
  },
  {
    word: "dream",
    weight: 4,
    rules: [
      {
        pattern: "* i dream *",
        replies: ["Really, {2:r}?", "Have you ever imagined {2:r} while you were awake?", "=dreaming"]
      },
      { pattern: "*", replies: ["=dreaming"] }
    ]
  },
  {
    word: "dreaming",
    weight: 0,
    rules: [
      {
        pattern: "*",
        replies: ["What does that dream suggest to you?", "Do you dream often?", "Who appears in your dreams?"]
      }
    ]
  },
  {
    word: "perhaps",
    weight: 0,
    rules: [{ pattern: "*", replies: ["You don't sound quite certain.", "Why the uncertainty?", "Don't you know?"] }]
  },
  {
    word: "hello",
    weight: 0,
    rules: [
      { pattern: "*", replies: ["Hello. How are you feeling today?", "Hello. What would you like to talk about?"] }
    ]
  },
  {
    word: "computer",
    weight: 50,
    rules: [
      {
        pattern: "*",
        replies: [
          "Do computers worry you?",
          "Why do you mention computers?",
          "What do you think machines have to do with your problem?",
          "Don't you think computers can help people?"
        ]
      }
    ]
  },
  {
    word: "my",
    weight: 2,
    rules: [
      {
        pattern: "* my * @family *",
        replies: ["Tell me more about your family.", "Who else in your family {3:r}?", "Your {2}?"]
      },
      {
        pattern: "* my *",
        replies: ["Your {2:r}?", "Why do you say your {2:r}?", "Does it matter to you that your {2:r}?"]
      }
    ]
  },
  {
    word: "am",
    weight: 0,
    rules: [
      {
        pattern: "* am i *",
        replies: ["Do you believe you are {2:r}?", "Would you want to be {2:r}?", "=what"]
      },
      { pattern: "* i am *", replies: ["=i'm"] },
      { pattern: "*", replies: ["Why do you say “am”?"] }
    ]
  },
  {
    word: "i'm",
    weight: 1,
    rules: [
      {
        pattern: "* @feeling *",
        replies: [
          "I am sorry to hear that. What happened?",
          "Do you think that coming here will help?",
          "Can you say what made you feel so?"
        ]
      },
      {
        pattern: "* @joy *",
        replies: ["What makes you feel so just now?", "How have I helped you to feel so?"]
      },
      {
        pattern: "* i'm *",
        replies: [
          "How long have you been {2:r}?",
          "Do you enjoy being {2:r}?",
          "Is it because you are {2:r} that you came?"
        ]
      },
      {
        pattern: "* i am *",
        replies: [
          "How long have you been {2:r}?",
          "Do you enjoy being {2:r}?",
          "Is it because you are {2:r} that you came?"
        ]
      }
    ]
  },
  {
    word: "are",
    weight: 0,
    rules: [
      {
        pattern: "* are you *",
        replies: [
          "Why does it interest you whether I am {2:r} or not?",
          "Would you prefer it if I weren't {2:r}?",
          "=what"
        ]
      },
      { pattern: "* are *", replies: ["Did you think they might not be {2:r}?", "Possibly they are {2:r}."] }
    ]
  },
  {
    word: "yes",
    weight: 0,
    rules: [{ pattern: "*", replies: ["You seem quite sure.", "I see.", "I understand."] }]
  },
  {
    word: "no",
    weight: 0,
    rules: [{ pattern: "*", replies: ["Why not?", "Are you saying no just to be negative?", "Why “no”?"] }]
  },
  {
    word: "can't",
    weight: 1,
    rules: [
      {
        pattern: "* i can't *",
        replies: ["How do you know that you can't {2:r}?", "Have you tried?", "Perhaps you could {2:r} now."]
      },
      { pattern: "*", replies: ["NEWKEY"] }
    ]
  },
  {
    word: "want",
    weight: 1,
    rules: [
      {
        pattern: "* i want *",
        replies: [
          "What would it mean to you if you got {2:r}?",
          "Why do you want {2:r}?",
          "What if you never got {2:r}?"
        ]
      },
      { pattern: "*", replies: ["NEWKEY"] }
    ]
  },
  {
    word: "feel",
    weight: 1,
    rules: [
      { pattern: "* i feel *", replies: ["Tell me more about such feelings.", "Do you often feel {2:r}?"] },
      { pattern: "*", replies: ["NEWKEY"] }
    ]
  },
  {
    word: "you",
    weight: 0,
    rules: [
      { pattern: "* you remind me of *", replies: ["=alike"] },
      {
        pattern: "* you * me *",
        replies: ["Why do you think that I {2:r} you?", "What makes you think that I {2:r} you?"]
      },
      {
        pattern: "* you *",
        replies: ["We were discussing you, not me.", "Oh, I {2:r}?", "What are your feelings now?"]
      }
    ]
  },
  {
    word: "because",
    weight: 0,
    rules: [
      {
        pattern: "*",
        replies: ["Is that the real reason?", "Don't any other reasons come to mind?", "What else does that explain?"]
      }
    ]
  },
  {
    word: "why",
    weight: 0,
    rules: [
      {
        pattern: "* why don't you *",
        replies: ["Do you believe I don't {2:r}?", "Perhaps I will {2:r} in good time."]
      },
      { pattern: "*", replies: ["=what"] }
    ]
  },
  {
    word: "what",
    weight: 0,
    rules: [
      {
        pattern: "*",
        replies: [
          "Why do you ask?",
          "Does that question interest you?",
          "What would an answer change?",
          "What do you think?"
        ]
      }
    ]
  },
  {
    word: "how",
    weight: 0,
    rules: [{ pattern: "*", replies: ["=what"] }]
  },
  {
    word: "alike",
    weight: 10,
    rules: [
      {
        pattern: "*",
        replies: ["In what way?", "What resemblance do you see?", "What is the connection, do you suppose?"]
      }
    ]
  },
  {
    word: "always",
    weight: 1,
    rules: [{ pattern: "*", replies: ["Can you think of a particular example?", "When?", "Really, always?"] }]
  },
  {
    word: "everybody",
    weight: 2,
    rules: [{ pattern: "*", replies: ["Surely not everybody.", "Can you think of anyone in particular?"] }]
  }
]

/** Said when no keyword fits. */
export const none: ReadonlyArray<string> = [
  "I am not sure I understand you fully.",
  "Please go on.",
  "What does that suggest to you?",
  "Do you feel strongly about discussing such things?"
]

/** What a sentence with “my” leaves behind, to be said when nothing else fits. `{1:r}` is what followed “my”. */
export const memories: ReadonlyArray<string> = [
  "Let us talk further about your {1:r}.",
  "Earlier you said your {1:r}.",
  "But your {1:r}.",
  "Does that have anything to do with the fact that your {1:r}?"
]
