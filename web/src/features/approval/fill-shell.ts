import type { ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import { CHOOSE, imageLine } from '../../lib/image-line.ts';
import { findOrganization } from '../../lib/organizations.ts';
import type { PageContext } from '../../lib/page-context.ts';
import type { User } from '../../lib/user.ts';
import { likeOf } from './like-of.ts';

/**
 * Writes into the shell what the page will say of the person while it's loading, and gives the places of the rest their
 * lengths, so that nothing jumps when the page takes the shell's place. Of nobody, the shell says nothing.
 */
export function fillShell(page: Document, person: { user: User; context: PageContext } | null): void {
  const shown = page.querySelector('.shell');
  if (!shown) return;
  if (!person) {
    shown.remove();
    page.querySelector('.initializing')?.classList.remove('visually-hidden');
    return;
  }
  // A new one takes its place at once, as the page will: no part of it moves.
  const shell = shown.cloneNode(true) as Element;
  const find = (name: string) => shell.querySelector(`[data-shell="${name}"]`);
  const write = (name: string, text: string) => find(name)?.replaceChildren(text);
  const { user, context } = person;
  const organization = findOrganization(user, context);
  const { before, name, after } = imageLine(user, organization);
  write('line', `${before}${name}${after} ${user.image ? '' : CHOOSE.join(' ')}`);
  const place = find('image');
  if (user.image && organization?.image) place?.after(place.cloneNode());
  if (!user.image && !organization?.image) place?.remove();
  write('username', user.username);
  const like = likeOf(context);
  write('name', like.name);
  write('title', like.title);
  shown.replaceWith(shell);
}

/** Shows what the server says the pull request is, if the page isn't there yet. The page checks it before it shows it. */
export async function showPull(page: Document, answer: Response | null): Promise<void> {
  if (!answer?.ok) return;
  const { pull, statement }: ApprovalParamsAnswer = await answer.json();
  // A new element: browsers don't count a text as painted that comes into one that was.
  const show = (name: string, ...shown: (string | Node)[]) => {
    const place = page.querySelector(`.shell [data-shell="${name}"]`)?.parentElement;
    const filled = place?.cloneNode(false) as Element | undefined;
    filled?.append(...shown);
    if (filled) place?.replaceWith(filled);
  };
  show('name', `${statement.repo.name} #${statement.pr}`);
  // It looks like the page's link, and leads nowhere.
  const title = page.createElement('a');
  title.style.textDecoration = 'underline';
  title.textContent = pull.title;
  show('title', title);
}
