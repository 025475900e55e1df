// The format of a backup: a tar of the files, compressed with zstd as a whole, ending with a list of them and their SHA-256.
// A truncated backup has no list, and a modified one does not match it.
import { createReadStream, mkdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { Refused } from "../../../client/cli/refused.ts";
import { SERVICE_VERSION } from "../../../contract/version.ts";
import { BadTar, readTar, type TarFile, type TarSink, writeTar } from "../../../kit/tar.ts";
import type { WriteBytes } from "./places.ts";
import { KNOWN_FILES, type Staged } from "./stage.ts";

const LIST = "backup.json";
const LIST_BYTES_MAX = 100_000;
const FORMAT = 1;
const OWNER_ONLY = 0o600;

export interface BackupList {
  format: number;
  version: string;
  engine: Staged["engine"];
  madeAt: string;
  files: { name: string; bytes: number; sha256: string }[];
}

export async function writeArchive(staged: Staged, out: WriteBytes, now: number): Promise<void> {
  const packed = Readable.from(writeTar(filesOf(staged, now), now)).pipe(
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
  );
  for await (const chunk of packed) await out(chunk as Uint8Array);
}

async function* filesOf({ folder, files, engine }: Staged, now: number): AsyncGenerator<TarFile> {
  const list: BackupList = {
    format: FORMAT,
    version: SERVICE_VERSION,
    engine,
    madeAt: new Date(now).toISOString(),
    files: [],
  };
  for (const name of files) {
    const path = join(folder, name);
    const { size: bytes } = statSync(path);
    const hash = new Bun.CryptoHasher("sha256");
    yield { name, bytes, content: hashed(createReadStream(path), hash) };
    list.files.push({ name, bytes, sha256: hash.digest("hex") });
  }
  const text = Buffer.from(`${JSON.stringify(list, null, 2)}\n`);
  yield { name: LIST, bytes: text.length, content: [text] };
}

async function* hashed(source: AsyncIterable<Uint8Array>, hash: Bun.CryptoHasher) {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Unpacks into a folder and checks every file against the list. Refuses an incomplete or foreign archive with a message. */
export async function readArchive(source: AsyncIterable<Uint8Array>, folder: string): Promise<BackupList> {
  const found = new Map<string, { bytes: number; sha256: string }>();
  const listed: Uint8Array[] = [];
  const sinkFor = async (name: string, bytes: number): Promise<TarSink> => {
    if (name === LIST && bytes <= LIST_BYTES_MAX)
      return { write: (chunk) => void listed.push(Uint8Array.from(chunk)), end: () => undefined };
    if (!KNOWN_FILES.includes(name) || found.has(name)) throw new BadTar(`It holds ${JSON.stringify(name)}.`);
    return fileSink(join(folder, name), (sha256) => found.set(name, { bytes, sha256 }));
  };
  try {
    await readTar(unpacked(source), sinkFor);
  } catch (error) {
    const code = String((error as { code?: unknown }).code ?? "");
    if (!(error instanceof BadTar) && !code.startsWith("ZSTD")) throw error;
    throw new Refused(
      `This is not a complete Crowdtape backup (${(error as Error).message}). Nothing was restored.`,
    );
  }
  const list = readList(Buffer.concat(listed).toString());
  const wrong = list.files.find(({ name, sha256 }) => found.get(name)?.sha256 !== sha256);
  if (wrong || list.files.length !== found.size)
    throw new Refused(
      `The checksum of ${wrong?.name ?? "a file"} differs: the backup is damaged. Nothing was restored.`,
    );
  return list;
}

/** Errors of the source and of the decompression both end the read. */
function unpacked(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const packed = Readable.from(source);
  const plain = createZstdDecompress();
  packed.on("error", (error) => plain.destroy(error));
  return packed.pipe(plain);
}

async function fileSink(path: string, done: (sha256: string) => void): Promise<TarSink> {
  mkdirSync(dirname(path), { recursive: true });
  const hash = new Bun.CryptoHasher("sha256");
  const handle = await open(path, "wx", OWNER_ONLY);
  return {
    async write(chunk) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    },
    async end() {
      await handle.sync();
      await handle.close();
      done(hash.digest("hex"));
    },
  };
}

function readList(text: string): BackupList {
  try {
    const list = JSON.parse(text) as BackupList;
    const isOurs = list.format === FORMAT && Array.isArray(list.files) && list.files.length > 0;
    if (isOurs && (list.engine === "sqlite" || list.engine === "postgres")) return list;
  } catch {
    // Reported below.
  }
  throw new Refused(
    "This backup has no list of its files, or one of a later version of Crowdtape. Nothing was restored.",
  );
}
