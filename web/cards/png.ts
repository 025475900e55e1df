// A picture as a PNG file: one chunk of pixels, compressed on another thread.
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { Canvas } from "./canvas.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const BYTES_A_PIXEL = 4;
/** Eight bits per channel, with an alpha channel. */
const [DEPTH, COLOUR_TYPE] = [8, 6];
/** Flat colours gain little from a higher level. */
const LEVEL = 6;
const deflateAside = promisify(deflate) as (bytes: Uint8Array, options: { level: number }) => Promise<Buffer>;

export async function pngOf({ width, height, pixels }: Canvas): Promise<Uint8Array<ArrayBuffer>> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, DEPTH);
  header.setUint8(9, COLOUR_TYPE);
  // A row starts with its filter type: none.
  const rowBytes = width * BYTES_A_PIXEL;
  const rows = new Uint8Array((rowBytes + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  const parts = [
    SIGNATURE,
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", await deflateAside(rows, { level: LEVEL })),
    chunk("IEND", new Uint8Array(0)),
  ];
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, Bun.hash.crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}
