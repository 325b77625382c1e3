/**
 * The pages' only script. It reads the page again every two seconds while a person looks at it, and shows the parts
 * that change automatically, marked with `data-live`, once they differ.
 */
export const REFRESH = `
const PARTS = '[data-live]';
async function look() {
  if (document.visibilityState === 'visible') {
    try {
      const answer = await fetch(location.pathname);
      if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    } catch {
      // The demo was stopped, or starts again.
    }
  }
  setTimeout(look, 2000);
}
function show(next) {
  const fresh = next.querySelectorAll(PARTS);
  document.querySelectorAll(PARTS).forEach((part, index) => {
    if (fresh[index] && fresh[index].outerHTML !== part.outerHTML) part.replaceWith(fresh[index]);
  });
}
if (document.querySelector(PARTS)) setTimeout(look, 2000);

let left = false;
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') left = true;
  else if (left) location.reload();
});
`;
