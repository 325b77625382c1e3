import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { draw, load, textOf } from './dashboard.ts';

const rendered = jest.fn<(element: Parameters<typeof renderToStaticMarkup>[0]) => void>();
jest.unstable_mockModule('react-dom/client', () => ({ createRoot: () => ({ render: rendered }) }));

describe('the error screen', () => {
  type Boundary = { state: object; render(): { props: { text: string } } };

  test.each([
    [new Error('surprise'), 'Unknown error: surprise'],
    ['a text', 'Major error in UI!'],
    [undefined, 'Major error in UI!'],
  ])('says of %p: %s', async (error, text) => {
    const { ErrorBoundary } = await load('app/error-boundary.tsx');
    const boundary: Boundary = new ErrorBoundary({ children: null });
    boundary.state = ErrorBoundary.getDerivedStateFromError(error);
    expect(boundary.render().props.text).toBe(text);
  });

  test('shows its text and the way back to the pull request', async () => {
    const { ErrorScreen } = await load('app/error-screen.tsx');
    const text = textOf(
      await draw(ErrorScreen as ComponentType<{ text: string }>, { text: 'Major error in UI!' }),
    );
    expect(text).toMatch(/Major error in UI!.*Back to Pull Request/);
  });
});

describe('the beginning', () => {
  const { document, window } = globalThis;

  afterEach(() => {
    Object.assign(globalThis, { document, window });
  });

  test('in a browser that keeps no storage shows the error screen', async () => {
    const page = { getElementById: () => ({}), querySelector: () => null };
    const refusing = {
      document: page,
      location: { origin: 'https://guard.example.org' },
      get localStorage() {
        throw new DOMException('denied', 'SecurityError');
      },
    };
    Object.assign(globalThis, { document: page, window: refusing });
    await load('main.tsx');
    const [element] = rendered.mock.calls[0] ?? [];
    expect(textOf(renderToStaticMarkup(element))).toContain('pocketbase not initialized');
  });
});

test('while the code of a page is on its way, it says Initializing', async () => {
  const { PageSkeleton } = await load('app/page-skeleton.tsx');
  expect(textOf(renderToStaticMarkup(createElement(PageSkeleton)))).toContain('Initializing');
});
