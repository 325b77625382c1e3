import { html } from '../../shared/html.ts';

/** The dashboard's mark (`web/public/icon.svg`), for the header and the browser's tab. */
export const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0a5cc4"/><path d="M16 6l8 3v6.5c0 5-3.3 8.8-8 10.5-4.7-1.7-8-5.5-8-10.5V9zM12.2 15.8l2.8 2.8 5-5.4" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

const icon = (path: string) =>
  html`<svg class="icon" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="${path}"/></svg>`;

// Octicons, as the dashboard has them (`web/src/components/icon.tsx`).

/** `CheckCircleFillIcon` */
export const checkIcon = icon(
  'M8 16A8 8 0 1 1 8 0a8 8 0 0 1 0 16Zm3.78-9.72a.751.751 0 0 0-.018-1.042.751.751 0 0 0-1.042-.018L6.75 9.19 5.28 7.72a.751.751 0 0 0-1.042.018.751.751 0 0 0-.018 1.042l2 2a.75.75 0 0 0 1.06 0Z',
);

/** `AlertIcon` */
export const alertIcon = icon(
  'M6.457 1.047c.659-1.234 2.427-1.234 3.086 0l6.082 11.378A1.75 1.75 0 0 1 14.082 15H1.918a1.75 1.75 0 0 1-1.543-2.575Zm1.763.707a.25.25 0 0 0-.44 0L1.698 13.132a.25.25 0 0 0 .22.368h12.164a.25.25 0 0 0 .22-.368Zm.53 3.996v2.5a.75.75 0 0 1-1.5 0v-2.5a.75.75 0 0 1 1.5 0ZM9 11a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z',
);

/** The dashboard's style (`web/src/styles` and its components) for the pages that run before there is a dashboard. */
export const STYLE = `:root {
  color-scheme: light dark;
  --page: light-dark(#f6f8fa, #0d1117); --surface: light-dark(#ffffff, #151b23); --line: light-dark(#d1d9e0, #3d444d);
  --text: light-dark(#1f2328, #f0f6fc); --text-quiet: light-dark(#4b535d, #adb5bd); --link: light-dark(#0550ae, #79c0ff);
  --accent: light-dark(#0a5cc4, #1f6feb); --accent-strong: light-dark(#084b9f, #1a62d3);
  --focus: light-dark(#0a5cc4, #79c0ff); --success: light-dark(#0f5323, #7ee787);
  --control-line: light-dark(#868f99, #757d87); --danger: light-dark(#8f0c21, #ffaba8);
  --danger-back: light-dark(#ffebe9, #3b1519); --warning: light-dark(#633c01, #f2cc60);
  --warning-back: light-dark(#fff8c5, #2f2611);
  --shadow: 0 1px 2px light-dark(rgb(31 35 40 / 6%), rgb(1 4 9 / 40%)),
    0 4px 16px light-dark(rgb(31 35 40 / 6%), transparent);
}
* { box-sizing: border-box; }
p, dl, dd, fieldset, .steps { margin: 0; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif;
}
header { border-bottom: 1px solid var(--line); background: var(--surface); }
header p {
  display: flex; align-items: center; gap: 0.5rem; max-width: 90rem; min-height: 3.5rem; margin-inline: auto;
  padding-inline: 1rem; font-weight: 600;
}
header img { width: 1.75rem; height: 1.75rem; }
main, form, dl, .steps { display: grid; gap: 1rem; }
main {
  width: min(24rem, 100% - 2rem); margin: 1.5rem auto; padding: 1.5rem; border: 1px solid var(--line);
  border-radius: 0.75rem; background: var(--surface); box-shadow: var(--shadow);
}
@media (max-width: 26rem) { main { padding: 1rem; } }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; }
a { color: var(--link); text-underline-offset: 0.2em; }
code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
dt, .quiet { color: var(--text-quiet); font-size: 0.8125rem; }
.steps { gap: 0.5rem; padding: 0; list-style: none; }
.steps li { display: flex; align-items: center; gap: 0.5rem; color: var(--text-quiet); }
.steps [aria-current] { color: var(--text); font-weight: 600; }
.mark {
  display: grid; place-items: center; flex: none; width: 1.25rem; height: 1.25rem; border: 1px solid; border-radius: 50%;
  font-size: 0.75rem; line-height: 1;
}
.icon { flex: none; width: 1rem; height: 1rem; margin-top: 0.2em; }
.steps .icon { width: 1.25rem; height: 1.25rem; margin: 0; color: var(--success); }
fieldset { display: grid; min-width: 0; padding: 0; border: 0; accent-color: var(--link); }
legend { padding: 0; font-weight: 600; }
label { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; }
label.field { display: grid; gap: 0.25rem; font-weight: 600; }
input[type="text"] {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; font-size: max(1rem, 16px);
  font-weight: 400; color: var(--text); background: var(--surface); border: 1px solid var(--control-line);
  border-radius: 0.375rem;
}
.button {
  display: flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none;
  color: #ffffff; background: var(--accent); border: 1px solid transparent; border-radius: 0.375rem; cursor: pointer;
}
.button:hover { background: var(--accent-strong); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.notice {
  display: flex; gap: 0.75rem; padding: 0.75rem; border-left: 3px solid; border-radius: 0.375rem;
  color: var(--warning); background: var(--warning-back); overflow-wrap: anywhere;
}
.notice[role="alert"] { color: var(--danger); background: var(--danger-back); }
.notice p { color: var(--text); }
@media (forced-colors: active) { .button { border-color: ButtonBorder; } }
`;
