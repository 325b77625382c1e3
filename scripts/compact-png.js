// Makes a screenshot smaller with a palette of its most frequent colours. A page has few colours, except at the edges
// of its letters.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_COLOURS = 256;
const RGB = 2;
const PALETTE = 3;
const RGBA = 6;

/** Compacts a PNG with 8 bits per channel and no interlacing; returns any other unchanged. Transparency is lost. */
export function compactPng(png) {
  const chunks = readChunks(png);
  const header = chunks.find(({ type }) => type === 'IHDR').data;
  const [width, height, depth, kind, interlaced] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header[8],
    header[9],
    header[12],
  ];
  if (depth !== 8 || ![RGB, RGBA].includes(kind) || interlaced !== 0) return png;
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const pixels = unfilter(inflateSync(data), width, height, kind === RGBA ? 4 : 3);
  const palette = choosePalette(pixels);
  const indexes = nearestIndexes(pixels, palette);

  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((pixel, index) => {
    rows[Math.floor(index / width) * (width + 1) + 1 + (index % width)] = indexes.get(pixel);
  });
  const newHeader = Buffer.from(header);
  newHeader[9] = PALETTE;
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((pixel, index) => void colours.writeUIntBE(pixel, index * 3, 3));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', newHeader),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most frequent colours. */
function choosePalette(pixels) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const byCount = [...counts].sort(([a, many], [b, more]) => more - many || a - b);
  return byCount.slice(0, MOST_COLOURS).map(([pixel]) => pixel);
}

/** The palette index of each colour: its own, or that of the nearest colour. */
function nearestIndexes(pixels, palette) {
  const channels = (pixel) => [pixel >> 16, (pixel >> 8) & 255, pixel & 255];
  const known = palette.map(channels);
  const nearest = (pixel) => {
    const [red, green, blue] = channels(pixel);
    const distances = known.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
    return distances.indexOf(Math.min(...distances));
  };
  return new Map([...new Set(pixels)].map((pixel) => [pixel, nearest(pixel)]));
}

function readChunks(png) {
  const chunks = [];
  for (let offset = SIGNATURE.length; offset < png.length; ) {
    const length = png.readUInt32BE(offset);
    chunks.push({
      type: png.toString('latin1', offset + 4, offset + 8),
      data: png.subarray(offset + 8, offset + 8 + length),
    });
    offset += length + 12;
  }
  return chunks;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The colours as numbers, row by row. PNG specification, section 9. */
function unfilter(raw, width, height, size) {
  const stride = width * size;
  const bytes = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (stride + 1)];
    for (let column = 0; column < stride; column += 1) {
      const index = row * stride + column;
      const left = column >= size ? bytes[index - size] : 0;
      const up = row > 0 ? bytes[index - stride] : 0;
      const corner = row > 0 && column >= size ? bytes[index - stride - size] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      bytes[index] = raw[row * (stride + 1) + 1 + column] + guess;
    }
  }
  return Array.from({ length: width * height }, (_, index) => bytes.readUIntBE(index * size, 3));
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
