// Downloads a text from a third-party server: by https, from a public address, on a fresh connection to the address that
// was checked, bounded in size and time. Redirects are not followed.
import { lookup } from "node:dns/promises";
import { isIP, type Socket } from "node:net";
import { Refused } from "../../client/cli/refused.ts";
import { Fault } from "../../contract/errors.ts";
import { MIB, SECOND_MS } from "../../kit/units.ts";
import { isPublicAddress } from "../webhooks/addresses.ts";
import { connectTo } from "../webhooks/exchange.ts";
import { readTarget, type Target, type Targets } from "../webhooks/target.ts";

/** A roster of a hundred thousand traders is about twenty megabytes. */
const BYTES_MAX = 32 * MIB;
const TIMEOUT_MS = 30 * SECOND_MS;

export interface DownloadOptions {
  targets: Targets;
  bytesMax?: number;
  /** Certificates to trust in addition to the system's. */
  ca?: string;
}

export async function download(text: string, options: DownloadOptions): Promise<string> {
  const target = targetOf(text, options.targets);
  const address = await addressOf(target, options.targets);
  const answer = await read(connectTo(target, address, options.ca), target, options.bytesMax ?? BYTES_MAX);
  return bodyOf(answer);
}

function targetOf(text: string, targets: Targets): Target {
  try {
    return readTarget(text, targets);
  } catch (error) {
    // Its messages begin with the name of a webhook's field.
    throw error instanceof Fault ? new Refused(error.message.replace(/^url /, "The URL ")) : error;
  }
}

async function addressOf({ host }: Target, targets: Targets): Promise<string> {
  const found = isIP(host)
    ? [host]
    : (await lookup(host, { all: true }).catch(() => [])).map((one) => one.address);
  const [first] = found;
  if (first === undefined) throw new Refused(`The host name ${host} can't be resolved.`);
  if (targets === "public" && !found.every(isPublicAddress))
    throw new Refused(`The host name ${host} leads to an address that is not public.`);
  return first;
}

function read(socket: Socket, { url }: Target, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const fail = (sentence: string) => {
      socket.destroy();
      reject(new Refused(sentence));
    };
    const late = setTimeout(
      () => fail(`${url.host} took longer than ${TIMEOUT_MS / SECOND_MS} seconds.`),
      TIMEOUT_MS,
    );
    socket.on("data", (part: Buffer) => {
      size += part.length;
      if (size > bytesMax) fail(`${url.host} sends more than ${bytesMax} bytes.`);
      else parts.push(part);
    });
    socket.on("error", () => fail(`The connection to ${url.host} failed.`));
    socket.on("close", () => {
      clearTimeout(late);
      resolve(Buffer.concat(parts));
    });
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\naccept-encoding: identity\r\n` +
        "user-agent: Crowdtape\r\nconnection: close\r\n\r\n",
    );
  });
}

function bodyOf(answer: Buffer): string {
  const end = answer.indexOf("\r\n\r\n");
  const head = answer.subarray(0, Math.max(0, end)).toString("latin1");
  const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1];
  if (status === undefined) throw new Refused("The answer is not HTTP.");
  if (status !== "200")
    throw new Refused(`It answered ${status}; only 200 is taken, and redirects are not followed.`);
  const body = answer.subarray(end + 4);
  const isChunked = /^transfer-encoding:.*chunked/im.test(head);
  const length = /^content-length:\s*(\d+)/im.exec(head)?.[1];
  if (!isChunked && length !== undefined && body.length < Number(length))
    throw new Refused("The answer was cut off.");
  return (isChunked ? joined(body) : body).toString("utf8");
}

/** Joins the contents of the chunks. */
function joined(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = body.indexOf("\r\n", at);
    const size = line < 0 ? Number.NaN : Number.parseInt(body.subarray(at, line).toString("latin1"), 16);
    if (size === 0) return Buffer.concat(parts);
    if (!(size > 0) || line + 2 + size > body.length) throw new Refused("The answer was cut off.");
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
