import type { Locator, Page } from 'playwright-core';
import { type TestProduct, until } from './product.ts';

/**
 * Takes mona, who has no authenticator yet, from the first pull request to its merge, which GitHub refuses before.
 * Returns the address of the approval, and how often mona clicked from the pull request to the approval, on GitHub too.
 */
export async function mergeAsNewcomer({ github }: TestProduct, page: Page) {
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await page.goto(github.facts.pull);
  // The page shows it without a reload.
  await page.getByText('Waiting for an approval').waitFor();
  await button('Merge pull request').click();
  await page.getByText('Required status check "OTP Guard" is expected.').waitFor();

  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const press = (name: string | RegExp) => click(button(name));
  await click(page.getByRole('link', { name: 'Details' }));
  await page.getByText(/^Continuing to \S+ to sign you in/).waitFor();
  await press(/\bmona\b/);
  await press('Register passkey');
  await page.getByRole('heading', { name: 'Approve pull request' }).waitFor();
  await page.getByText('Your authenticator is registered.').waitFor();
  await page.getByText('octo-org/hello #1').waitFor();
  const details = page.url();
  await page.getByRole('definition').filter({ hasText: 'Add a greeting' }).waitFor();
  const hasFocus = () =>
    button('Approve with passkey').evaluate((found) => found === found.ownerDocument.activeElement);
  await until('the focus', hasFocus);
  // The page shows it for less than a second, and a locator looks only twice in that time, so the page itself looks.
  const isApproved = () => [...document.querySelectorAll('h1')].some((one) => one.textContent === 'Approved');
  await Promise.all([page.waitForFunction(isApproved), press('Approve with passkey')]);
  await page.getByRole('link', { name: 'choose a security image' }).waitFor();
  await page.waitForURL(github.facts.pull);
  await page.getByText('Approved by mona').waitFor();
  await button('Merge pull request').click();
  await page.getByText('Merged into main.').waitFor();
  return { details, clicks };
}
