// One run of everything against one live program, with a well-behaved client next to it. The result is a list of errors, and
// figures that show how much was tried.
import { quickCases, slowCases } from "./abuse-cases.ts";
import { readDocuments } from "./documents.ts";
import { fuzzFrames } from "./frames-fuzz.ts";
import { abuse } from "./http-abuse.ts";
import { fuzzHttp } from "./http-fuzz.ts";
import { abuseSockets } from "./socket-abuse.ts";
import { startSteady } from "./steady.ts";
import type { Subject } from "./subject.ts";
import type { Seen } from "./values.ts";

export interface CampaignWish {
  seed: number;
  valuesPerTarget: number;
  /** Also the cases that last as long as the server's timeouts. */
  withSlowCases: boolean;
}

export interface CampaignResult {
  errors: string[];
  figures: Record<string, unknown>;
}

/** Concurrent abusers: each holds a connection, and none may obstruct the others. */
const ABUSERS = 8;
/**
 * How much more memory a program may hold after an attack than before: its caches, which are bounded and were empty, and a
 * heap that the collector lets grow before collecting.
 */
const GROWTH_BYTES_MAX = 200_000_000;

export async function runCampaign(subject: Subject, wish: CampaignWish): Promise<CampaignResult> {
  const { url, port } = subject;
  const documents = await readDocuments(url);
  const { key } = await subject.makeKey("scale");
  const good = await subject.makeKey("growth");
  const seen: Seen = new Map();
  const shared = { documents, key, seen, seed: wish.seed, valuesPerTarget: wish.valuesPerTarget };
  const residentBefore = subject.residentBytes();
  const steady = await startSteady(url, good.key);
  const slow = wish.withSlowCases ? slowCases(key).map((one) => abuse(port, one)) : [];

  const errors: string[] = [];
  const http = await fuzzHttp({ ...shared, url });
  errors.push(...http.failures);
  if (http.cut === 0 && http.reported !== http.charged)
    errors.push(`The answers say ${http.reported} credits, the balance of ${http.charged}.`);
  const frames = await fuzzFrames({ ...shared, port });
  errors.push(...frames.failures);
  const cases = quickCases(key);
  const abused = cases.length;
  await Promise.all(
    Array.from({ length: ABUSERS }, async () => {
      for (let one = cases.shift(); one; one = cases.shift()) {
        const error = await abuse(port, one);
        if (error) errors.push(error);
      }
    }),
  );
  for (const channel of documents.channels) errors.push(...(await abuseSockets(port, channel.path, key)));
  for (const error of await Promise.all(slow)) if (error) errors.push(error);

  const other = await steady.stop();
  errors.push(...other.errors.map((error) => `The other client: ${error}`));
  if (!subject.isAlive()) errors.push("The program ended.");
  errors.push(...(await saidBySubject(subject)));
  const grownBytes = subject.residentBytes() - residentBefore;
  if (grownBytes > GROWTH_BYTES_MAX) errors.push(`It holds ${grownBytes} bytes more than before.`);
  const { failures: _http, ...httpFigures } = http;
  const { failures: _frames, ...frameFigures } = frames;
  return {
    errors,
    figures: {
      http: httpFigures,
      frames: frameFigures,
      abused: abused + slow.length,
      other: { asked: other.asked, frames: other.frames },
      residentBytes: { before: residentBefore, grown: grownBytes },
    },
  };
}

/** Failures noticed by the program itself: no attack may make it count or log an internal error. */
async function saidBySubject(subject: Subject): Promise<string[]> {
  const errors = subject
    .output()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));
  const metrics = await (await fetch(`${subject.metricsUrl}/metrics`)).text();
  const failures = metrics
    .split("\n")
    .filter((line) => /^crowdtape_http_requests_total\{.*status="5(?!03)/.test(line));
  return [...errors.slice(0, 10), ...failures].map((line) => `It said: ${line.slice(0, 600)}`);
}
