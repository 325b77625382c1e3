/** The style sheet of all pages, with the system's light or dark colours. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: #ffffff; --soft: #f6f8fa; --line: #d1d9e0; --text: #1f2328; --muted: #59636e; --accent: #0969da;
  --good: #1a7f37; --bad: #b3201f; --wait: #8a5a00; --done: #8250df; --on: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #0d1117; --soft: #151b23; --line: #3d444d; --text: #f0f6fc; --muted: #9ca7b3; --accent: #58a6ff;
    --good: #3fb950; --bad: #ff7b72; --wait: #e3b341; --done: #bc8cff; --on: #0d1117;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--bg); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; overflow-wrap: anywhere;
}
header { background: var(--soft); border-bottom: 1px solid var(--line); }
header p, main, footer { max-width: 46rem; margin: 0 auto; padding: 0.75rem 1rem; }
header a { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--text); font-weight: 600; }
main { padding-block: 1.5rem; }
footer { color: var(--muted); font-size: 0.875rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.5rem; font-weight: 600; }
h2 { font-size: 1rem; margin: 0; padding: 0.75rem 1rem; border-bottom: 1px solid var(--line); }
a { color: var(--accent); }
header a, h2 a, .list a { text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
pre { margin: 0; padding: 0.75rem 1rem; overflow-x: auto; white-space: pre-wrap; background: var(--soft); }
.muted { color: var(--muted); }
.state {
  display: inline-block; padding: 0.125rem 0.75rem; border-radius: 2rem; border: 1px solid currentColor;
  font-size: 0.875rem; font-weight: 600;
}
.good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); } .done { color: var(--done); }
section { border: 1px solid var(--line); border-radius: 0.375rem; margin-block: 1rem; overflow: hidden; }
section > p { margin: 0; padding: 0.75rem 1rem; }
.list { list-style: none; margin: 0; padding: 0; }
.list li { display: flex; gap: 0.75rem; align-items: center; padding: 0.75rem 1rem; flex-wrap: wrap; }
.list li + li { border-top: 1px solid var(--line); }
.list .grow { flex: 1 1 12rem; }
.details { display: inline-flex; align-items: center; min-height: 2.75rem; padding-inline: 0.5rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; padding: 1rem; }
form { margin: 0; }
button {
  font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0 1rem; border-radius: 0.375rem; cursor: pointer;
  border: 1px solid var(--line); background: var(--soft); color: var(--text);
}
select, input[type='text'] {
  font: inherit; min-height: 2.75rem; color: var(--text); background: var(--bg); border: 1px solid var(--line);
}
button.primary { background: var(--good); border-color: transparent; color: var(--on); }
button.blocked { border-color: var(--bad); color: var(--muted); }
textarea {
  width: 100%; padding: 0.5rem; font: 0.875rem/1.5 ui-monospace, monospace; color: var(--text); background: var(--bg);
  border: 1px solid var(--line); border-radius: 0.375rem;
}
button.person {
  display: flex; gap: 0.75rem; align-items: center; width: 100%; text-align: start;
}
.list form:only-child { flex: 1; }
[role='alert'], [role='status'] { border-left: 0.25rem solid currentColor; }
img { border-radius: 50%; vertical-align: middle; }
`;
