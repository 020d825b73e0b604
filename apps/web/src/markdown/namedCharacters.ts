/**
 * Named character references (`&amp;`) for the Markdown parser, which would otherwise ask the DOM by setting `innerHTML`: the page's content
 * security policy forbids that, and it would throw. `vite.config.ts` puts this module in its place. The names are those that
 * people and models write; any other one stays the text that it is.
 */
const names: ReadonlyMap<string, string> = new Map(
  (
    "amp& lt< gt> quot\" apos' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ laquo« raquo» " +
    "lsaquo‹ rsaquo› bull• middot· times× divide÷ minus− plusmn± deg° sup1¹ sup2² sup3³ frac12½ frac14¼ frac34¾ permil‰ prime′ Prime″ " +
    "euro€ pound£ yen¥ cent¢ curren¤ sect§ para¶ micro\u00b5 dagger† Dagger‡ iexcl¡ iquest¿ ordf\u00aa ordm\u00ba not¬ macr\u00af " +
    "larr← uarr↑ rarr→ darr↓ harr↔ lArr⇐ rArr⇒ hArr⇔ infin∞ ne≠ le≤ ge≥ asymp≈ equiv≡ sum∑ prod∏ radic√ part∂ int∫ isin∈ notin∉ " +
    "cap∩ cup∪ sub⊂ sup⊃ sube⊆ supe⊇ and∧ or∨ forall∀ exist∃ empty∅ nabla∇ there4∴ perp⊥ lowast∗ loz◊ check✓ cross✗ star☆ " +
    "alphaα betaβ gammaγ deltaδ epsilonε zetaζ etaη thetaθ iotaι kappaκ lambdaλ muμ nuν xiξ piπ rhoρ sigmaσ tauτ phiφ chiχ psiψ omegaω " +
    "GammaΓ DeltaΔ ThetaΘ LambdaΛ XiΞ PiΠ SigmaΣ PhiΦ PsiΨ OmegaΩ " +
    "Agrave\u00c0 Aacute\u00c1 Acirc\u00c2 Auml\u00c4 Aring\u00c5 AElig\u00c6 Ccedil\u00c7 Egrave\u00c8 Eacute\u00c9 Ecirc\u00ca Euml\u00cb " +
    "Ntilde\u00d1 Oacute\u00d3 Ouml\u00d6 Oslash\u00d8 Uacute\u00da Uuml\u00dc szlig\u00df agrave\u00e0 aacute\u00e1 acirc\u00e2 atilde\u00e3 auml\u00e4 " +
    "aring\u00e5 aelig\u00e6 ccedil\u00e7 egrave\u00e8 eacute\u00e9 ecirc\u00ea euml\u00eb iacute\u00ed icirc\u00ee iuml\u00ef ntilde\u00f1 " +
    "oacute\u00f3 ocirc\u00f4 otilde\u00f5 ouml\u00f6 oslash\u00f8 uacute\u00fa ucirc\u00fb uuml\u00fc yacute\u00fd yuml\u00ff oelig\u0153 OElig\u0152 " +
    "ensp\u2002 emsp\u2003 thinsp\u2009 shy\u00ad zwnj\u200c zwj\u200d lrm\u200e rlm\u200f num# excl! dollar$ percnt% lpar( rpar) ast* plus+ comma, " +
    "period. sol/ colon: semi; equals= quest? commat@ lbrack[ lsqb[ bsol\\ rbrack] rsqb] Hat^ lowbar_ grave` lbrace{ lcub{ vert| verbar| rbrace} rcub} " +
    "Tab\t NewLine\n"
  )
    .split(/ (?=[A-Za-z])/)
    .map((entry): [string, string] => {
      const name = /^[A-Za-z]+\d*/.exec(entry)?.[0] ?? entry
      return [name, entry.slice(name.length)]
    })
)

/** `value` stands without `&` and `;`. */
export const decodeNamedCharacterReference = (value: string): string | false => names.get(value) ?? false
