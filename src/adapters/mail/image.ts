import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { SecurityImage } from '../../contract/image.ts';

/** The picture's size in pixels: twice the size that a message shows, for sharp screens. */
const DRAWN_SIZE = 192;

type Draw = (image: SecurityImage) => Uint8Array;

/** Loads the drawing libraries, some 4 MB with React, when the first message needs them. */
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
      // The garbage collector doesn't free the WebAssembly module's memory.
      rendered.free();
      drawing.free();
    }
  };
}

// All mailers of the process share one: the module refuses to be initialized twice.
let loading: Promise<Draw> | undefined;

/** Draws a security image as the dashboard shows it: a PNG of 192 × 192 pixels with transparent corners. */
export async function drawImage(image: SecurityImage): Promise<Uint8Array> {
  loading ??= loadDraw();
  return (await loading)(image);
}
