// A tar stream, written and read piece by piece, so that neither needs memory for a whole file. It is the plain format that
// every tar reads; sizes past 8 GB are encoded as GNU tar does.

const BLOCK = 512;
const NAME_BYTES_MAX = 100;
/** The most that eleven octal digits can hold. */
const OCTAL_SIZE_MAX = 8 ** 11 - 1;
const SIZE_AT = 124;
const SIZE_BYTES = 12;

export interface TarFile {
  name: string;
  bytes: number;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A stream that is cut short or is not a tar. */
export class BadTar extends Error {
  override readonly name = "BadTar";
}

export async function* writeTar(
  files: AsyncIterable<TarFile> | Iterable<TarFile>,
  now: number,
): AsyncGenerator<Uint8Array> {
  for await (const { name, bytes, content } of files) {
    yield headerOf(name, bytes, now);
    let written = 0;
    for await (const chunk of content) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== bytes) throw new BadTar(`${name} changed while it was read.`);
    yield new Uint8Array(paddingOf(bytes));
  }
  yield new Uint8Array(2 * BLOCK);
}

const paddingOf = (bytes: number) => (BLOCK - (bytes % BLOCK)) % BLOCK;

function headerOf(name: string, bytes: number, now: number): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new BadTar(`${name} is too long a name.`);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  if (bytes <= OCTAL_SIZE_MAX) header.write(octal(bytes, 11), SIZE_AT);
  else {
    header.writeUInt8(0x80, SIZE_AT);
    header.writeBigUInt64BE(BigInt(bytes), SIZE_AT + SIZE_BYTES - 8);
  }
  header.write(octal(Math.floor(now / 1_000), 11), 136);
  header.write("0", 156);
  header.write("ustar\0", 257);
  header.write("00", 263);
  header.write(octal(checksumOf(header), 6), 148);
  header.write(" ", 155);
  return header;
}

/** The sum of the header's bytes with spaces in place of the sum itself. */
function checksumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

/** Receives one file's contents, in order. */
export interface TarSink {
  write(chunk: Uint8Array): Promise<void> | void;
  end(): Promise<void> | void;
}

/** Reads to the end mark; `open` says where a file's content goes. */
export async function readTar(
  source: AsyncIterable<Uint8Array>,
  open: (name: string, bytes: number) => Promise<TarSink> | TarSink,
): Promise<void> {
  const reader = createReader(source);
  for (;;) {
    const header = await reader.exactly(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const { name, bytes } = readHeader(header);
    const sink = await open(name, bytes);
    await reader.passOn(bytes, (chunk) => sink.write(chunk));
    await sink.end();
    await reader.exactly(paddingOf(bytes));
  }
}

function readHeader(header: Buffer): { name: string; bytes: number } {
  const octal = (at: number, length: number) =>
    Number.parseInt(header.toString("latin1", at, at + length).replaceAll(/[\0 ]/g, "") || "0", 8);
  if (octal(148, 8) !== checksumOf(header)) throw new BadTar("A header of the archive is damaged.");
  const name = header.toString("utf8", 0, NAME_BYTES_MAX).replace(/\0.*$/s, "");
  const isWide = (header[SIZE_AT] ?? 0) === 0x80;
  const bytes = isWide
    ? Number(header.readBigUInt64BE(SIZE_AT + SIZE_BYTES - 8))
    : octal(SIZE_AT, SIZE_BYTES);
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new BadTar("A header of the archive is damaged.");
  return { name, bytes };
}

function createReader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  const passOn = async (bytes: number, take: (chunk: Uint8Array) => Promise<void> | void) => {
    let left = bytes;
    while (left > 0) {
      if (rest.length === 0) {
        const { value, done } = await iterator.next();
        if (done) throw new BadTar("The archive ends too early.");
        rest = value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      await take(piece);
    }
  };
  return {
    passOn,
    async exactly(bytes: number): Promise<Buffer> {
      const pieces: Uint8Array[] = [];
      await passOn(bytes, (piece) => void pieces.push(piece));
      return Buffer.concat(pieces);
    },
  };
}
