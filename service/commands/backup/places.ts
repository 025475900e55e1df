// Where a backup is written to and read from: a file, or an object in S3. Either appears whole or not at all, and nothing
// existing is replaced.
import { createReadStream, existsSync } from "node:fs";
import { link, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Refused } from "../../../client/cli/refused.ts";
import { isS3, type S3Place, s3Place } from "../../../kit/s3.ts";
import { MIB } from "../../../kit/units.ts";

const OWNER_ONLY = 0o600;
/** S3 takes at most 10,000 parts: this is enough for 160 GB. */
const PART_BYTES = 16 * MIB;

/** Takes the bytes in order. */
export type WriteBytes = (chunk: Uint8Array) => Promise<void>;

export interface BackupPlace {
  /** Once this resolves, everything `fill` wrote is there; if it rejects, nothing is. */
  write(fill: (out: WriteBytes) => Promise<void>): Promise<void>;
  bytes(): Promise<number>;
}

/** Refuses an existing name. */
export async function placeFor(to: string): Promise<BackupPlace> {
  const place = isS3(to) ? await objectPlace(to) : filePlace(to);
  return place;
}

function filePlace(file: string): BackupPlace {
  const taken = () => new Refused(`${file} is already there. Name another file.`);
  if (existsSync(file)) throw taken();
  if (!existsSync(dirname(file))) throw new Refused(`There is no folder ${dirname(file)}.`);
  return {
    async write(fill) {
      const draft = `${file}.part`;
      await rm(draft, { force: true });
      const handle = await open(draft, "wx", OWNER_ONLY);
      try {
        // Overrides the umask.
        await handle.chmod(OWNER_ONLY);
        await fill((chunk) => handle.writeFile(chunk));
        await handle.sync();
      } catch (error) {
        await handle.close();
        await rm(draft, { force: true });
        throw error;
      }
      await handle.close();
      await putInPlace(draft, file, taken);
      await flushFolder(dirname(file));
    },
    bytes: async () => (await stat(file)).size,
  };
}

/** A link fails where a rename would replace a file created meanwhile. Some file systems have no links. */
async function putInPlace(draft: string, file: string, taken: () => Refused): Promise<void> {
  try {
    await link(draft, file);
    await rm(draft);
  } catch (error) {
    const isTaken = (error as { code?: unknown }).code === "EEXIST" || existsSync(file);
    if (isTaken) await rm(draft, { force: true });
    if (isTaken) throw taken();
    await rename(draft, file);
  }
}

/** Without this a power cut may lose the name of a file that is on disk. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

async function objectPlace(address: string): Promise<BackupPlace> {
  const { client, key } = objectOf(address);
  const object = client.file(key);
  if (await inWords(object.exists())) throw new Refused(`${address} is already there. Name another object.`);
  return {
    async write(fill) {
      // A multipart upload becomes visible only with its final call.
      const writer = object.writer({ partSize: PART_BYTES, retry: 3, type: "application/zstd" });
      await fill(async (chunk) => void (await writer.write(chunk)));
      await inWords(Promise.resolve(writer.end()));
    },
    bytes: async () => (await inWords(object.stat())).size,
  };
}

/** The bytes of a backup, as a stream. */
export async function bytesFrom(from: string): Promise<AsyncIterable<Uint8Array>> {
  if (!isS3(from)) {
    if (!existsSync(from)) throw new Refused(`There is no file ${from}.`);
    return createReadStream(from);
  }
  const { client, key } = objectOf(from);
  const object = client.file(key);
  if (!(await inWords(object.exists()))) throw new Refused(`There is no object ${from}.`);
  return object.stream();
}

function objectOf(address: string): S3Place {
  const place = s3Place(address);
  if (!place || place.key === "") throw new Refused(`${address} must be of the form s3://BUCKET/NAME.`);
  return place;
}

/** The client's errors carry a code and no secret; the advice is ours. */
function inWords<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: { code?: unknown; message?: unknown }) => {
    throw new Refused(
      `S3 refused: ${error.message ?? error.code}. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and, for a store of your own, AWS_ENDPOINT.`,
    );
  });
}
