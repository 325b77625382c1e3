/** What the pages do with JavaScript: go on to GitHub at once, and show the webhook's arrival. They work without. */
export const SCRIPT = `const ONWARD = document.getElementById('onward');
if (ONWARD) ONWARD.submit();

const PROGRESS = document.getElementById('progress');
let failures = 0;
async function look() {
  try {
    const answer = await fetch('/set-up/progress');
    const { step } = await answer.json();
    failures = 0;
    if (step !== PROGRESS.dataset.step) return location.reload();
  } catch {
    failures += 1;
  }
  // The server is away for a moment while OTP Guard starts.
  document.getElementById('lost').hidden = failures < 10;
  setTimeout(look, 1000);
}
if (PROGRESS && PROGRESS.dataset.step !== 'done') void look();
`;
