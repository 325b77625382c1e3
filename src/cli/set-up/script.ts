/** What the pages do with JavaScript: go on to GitHub at once, and show the next step when one is done. They work without. */
export const SCRIPT = `const ONWARD = document.getElementById('onward');
if (ONWARD) ONWARD.submit();

const PROGRESS = document.getElementById('progress');
let failures = 0;
async function look() {
  try {
    const answer = await fetch('/set-up/progress');
    if (!answer.ok) throw new Error();
    const { step } = await answer.json();
    failures = 0;
    if (step !== PROGRESS.dataset.step) return location.reload();
  } catch {
    failures += 1;
  }
  // The server is away for a moment while OTP Guard starts.
  document.getElementById('lost').hidden = failures < 5;
  setTimeout(look, 2000);
}
if (PROGRESS) void look();
`;
