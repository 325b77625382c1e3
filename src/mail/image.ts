import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { SecurityImage } from '../contract/image.ts';

/** Pixels of the drawn picture; twice what a message shows it at, for sharp screens. */
export const DRAWN_SIZE = 192;

type Draw = (image: SecurityImage) => Uint8Array;

/** Loads what draws, some 4 MB with React, only when the first message needs it. */
async function loadDraw(): Promise<Draw> {
  const wasm = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  const [{ createElement }, { renderToStaticMarkup }, { default: Avatar }, { initWasm, Resvg }, binary] =
    await Promise.all([
      import('react'),
      import('react-dom/server'),
      import('boring-avatars'),
      import('@resvg/resvg-wasm'),
      readFile(wasm),
    ]);
  await initWasm(binary);
  return ({ name, colors, variant }) => {
    const svg = renderToStaticMarkup(createElement(Avatar, { name, colors, variant, size: DRAWN_SIZE }));
    const drawing = new Resvg(svg, { fitTo: { mode: 'width', value: DRAWN_SIZE } });
    const rendered = drawing.render();
    try {
      return rendered.asPng();
    } finally {
      // Memory of the WebAssembly module is not collected.
      rendered.free();
      drawing.free();
    }
  };
}

// Once a process, however many mailers it has: the module refuses to be initialised again.
let loading: Promise<Draw> | undefined;

/** A security image as PNG, 192 × 192 pixels with transparent corners: the picture that the dashboard shows. */
export async function drawImage(image: SecurityImage): Promise<Uint8Array> {
  loading ??= loadDraw();
  return (await loading)(image);
}
