-- Neovim as a person uses it: opens a file, types, asks for code actions again and again, and takes the first each time.
-- What to do is in $NEOVIM: { cmd, folder, file, steps: [{ keys, line, column }], result }
local spec = vim.fn.json_decode(os.getenv("NEOVIM"))
local titles, done = {}, 0

-- The list of code actions: a person takes the first.
vim.ui.select = function(items, options, choose)
  local title = options.format_item(items[1])
  table.insert(titles, title)
  choose(items[1], 1)
end

local function wait(condition)
  if not vim.wait(60000, condition, 10) then error("nothing happened for a minute") end
end

local function act()
  local ready = false
  local client = vim.lsp.start_client({
    name = "signalbox",
    cmd = spec.cmd,
    root_dir = spec.folder,
    on_init = function() ready = true end,
    handlers = {
      ["workspace/executeCommand"] = function() done = done + 1 end,
      ["window/showMessage"] = function(_, message) error(message.message) end,
    },
  })
  vim.cmd("edit " .. vim.fn.fnameescape(spec.file))
  vim.lsp.buf_attach_client(0, client)
  wait(function() return ready end)
  for number, step in ipairs(spec.steps) do
    vim.api.nvim_win_set_cursor(0, { step.line, step.column })
    vim.cmd("normal! " .. step.keys)
    vim.lsp.buf.code_action()
    wait(function() return done == number end)
  end
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.lsp.stop_client(client)
  wait(function() return vim.lsp.client_is_stopped(client) end)
  return { lines = lines, titles = titles }
end

local worked, result = pcall(act)
vim.fn.writefile({ vim.fn.json_encode(worked and result or { problem = tostring(result), titles = titles }) }, spec.result)
vim.cmd("qall!")
