/** The dashboard's look (`web/src/styles`) for the pages that run before there is a dashboard. */
export const STYLE = `:root {
  color-scheme: light dark;
  --page: #f6f8fa; --surface: #ffffff; --line: #d1d9e0; --control-line: #868f99;
  --text: #1f2328; --text-quiet: #4b535d; --link: #0550ae; --accent: #0a5cc4; --accent-strong: #084b9f;
  --focus: #0a5cc4; --danger: #8f0c21; --danger-back: #ffebe9; --success: #0f5323;
  --warning: #633c01; --warning-back: #fff8c5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --surface: #151b23; --line: #3d444d; --control-line: #757d87;
    --text: #f0f6fc; --text-quiet: #adb5bd; --link: #79c0ff; --accent: #1f6feb; --accent-strong: #1a62d3;
    --focus: #79c0ff; --danger: #ffaba8; --danger-back: #3b1519; --success: #7ee787;
    --warning: #f2cc60; --warning-back: #2f2611;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif;
}
header, main { width: min(24rem, 100% - 2rem); margin-inline: auto; }
header p { margin: 0; padding-block: 1rem; font-weight: 600; }
main {
  display: grid; gap: 1rem; padding: 1.5rem; margin-block-end: 2.5rem;
  border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface);
}
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; font-weight: 600; }
p, dl, dd, ol, fieldset { margin: 0; }
a { color: var(--link); }
code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
form { display: grid; gap: 1rem; }
dl { display: grid; gap: 0.75rem; }
dt, .quiet { color: var(--text-quiet); font-size: 0.8125rem; }
ol { display: grid; gap: 1rem; padding: 0; list-style: none; }
ol > li { display: grid; gap: 0.5rem; padding-block-start: 1rem; border-block-start: 1px solid var(--line); }
fieldset { display: grid; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
label { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; }
label.field { display: grid; gap: 0.25rem; margin-inline-start: 1.5rem; color: var(--text-quiet); font-size: 0.8125rem; }
input[type="radio"] { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); }
input[type="text"] {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; font-size: 0.9375rem; color: var(--text);
  background: var(--surface); border: 1px solid var(--control-line); border-radius: 0.375rem;
}
.button {
  display: inline-flex; align-items: center; justify-content: center; width: 100%; min-height: 2.75rem;
  padding: 0.5rem 1rem; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
  color: #ffffff; background: var(--accent); border: 1px solid transparent; border-radius: 0.375rem;
}
.button:hover { background: var(--accent-strong); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
li[aria-current] > p:first-child { font-weight: 600; }
.warning, [role="alert"] { padding: 0.75rem; border-radius: 0.375rem; }
.warning { color: var(--warning); background: var(--warning-back); }
[role="alert"] { color: var(--danger); background: var(--danger-back); }
.done::before { content: "✓ " / "Done: "; color: var(--success); font-weight: 600; }
.waiting::before { content: "○ " / "To do: "; color: var(--text-quiet); }
[hidden] { display: none; }
`;
