/** The dashboard's look (`web/src/styles`) for the pages that run before there is a dashboard. */
export const STYLE = `:root {
  color-scheme: light dark;
  --page: light-dark(#f6f8fa, #0d1117); --surface: light-dark(#ffffff, #151b23); --line: light-dark(#d1d9e0, #3d444d);
  --text: light-dark(#1f2328, #f0f6fc); --text-quiet: light-dark(#4b535d, #adb5bd); --link: light-dark(#0550ae, #79c0ff);
  --accent: light-dark(#0a5cc4, #1f6feb); --focus: light-dark(#0a5cc4, #79c0ff); --success: light-dark(#0f5323, #7ee787);
  --control-line: light-dark(#868f99, #757d87); --danger: light-dark(#8f0c21, #ffaba8);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif;
}
header, main { width: min(24rem, 100% - 2rem); margin-inline: auto; }
header p { margin: 0; padding-block: 1rem; font-weight: 600; }
main, form, dl { display: grid; gap: 1rem; }
main { padding: 1.5rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; }
p, dl, dd, fieldset { margin: 0; }
a { color: var(--link); }
code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
dt, .quiet, label.field { color: var(--text-quiet); font-size: 0.8125rem; }
fieldset { display: grid; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
label { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; }
label.field { display: grid; gap: 0.25rem; margin-inline-start: 1.5rem; }
input[type="radio"] { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); }
input[type="text"] {
  min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; font-size: 0.9375rem; color: var(--text);
  background: var(--surface); border: 1px solid var(--control-line); border-radius: 0.375rem;
}
.button {
  min-height: 2.75rem; padding: 0.5rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  color: #ffffff; background: var(--accent); border: 0; border-radius: 0.375rem; cursor: pointer;
}
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.warning, [role="alert"] { padding: 0.75rem; color: var(--danger); border: 1px solid; border-radius: 0.375rem; }
.done::before { content: "✓ " / ""; color: var(--success); font-weight: 600; }
`;
