/** The pages' only script: it reloads a page when its reader returns from another tab. */
export const REFRESH = `
let left = false;
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') left = true;
  else if (left) location.reload();
});
`;
