// Runs one case of HTTP abuse: sends its bytes, however slowly, and reports any error in how it ended.
import { connect } from "node:net";
import type { AbuseCase } from "./abuse-cases.ts";

/** The server's own limit is 30 s; its timer checks every few seconds. */
const PATIENCE_MS = 45_000;
/** How long a connection that may stay open is watched for answers that should not come. */
const LINGER_MS = 400;
/** Statuses that mean a server failure, whatever was sent. */
const OUR_FAILURES = [500, 502, 504];

/** The error; null without one. */
export async function abuse(port: number, one: AbuseCase): Promise<string | null> {
  const line = connect({ port, host: "127.0.0.1", noDelay: true });
  let text = "";
  let ended = false;
  line.on("data", (bytes) => {
    text += bytes.toString("latin1");
  });
  for (const event of ["error", "end", "close"])
    line.on(event, () => {
      ended = true;
    });
  const isDripping = one.drip === true;
  for (const part of one.parts) {
    if (ended) break;
    line.write(typeof part === "string" ? Buffer.from(part, "latin1") : part);
    await Bun.sleep(isDripping ? (one.pauseMs ?? 0) : 1);
  }
  const statuses = () =>
    Array.from(text.matchAll(/(?:^|[^\r\n])?HTTP\/1\.[01] (\d{3}) /g), ([, status]) => Number(status));
  const last = one.parts.at(-1);
  const expectsNothing = one.first?.length === 0;
  const startedAt = Date.now();
  for (let dripped = startedAt; Date.now() - startedAt < PATIENCE_MS; await Bun.sleep(20)) {
    if (ended) break;
    if (!one.mustEnd && (expectsNothing || statuses().length > 0)) break;
    if (isDripping && last !== undefined && Date.now() - dripped >= (one.pauseMs ?? 0)) {
      line.write(last);
      dripped = Date.now();
    }
  }
  if (!ended) await Bun.sleep(LINGER_MS);
  line.destroy();
  return errorOf(one, statuses(), ended);
}

function errorOf(one: AbuseCase, statuses: number[], ended: boolean): string | null {
  const [first] = statuses;
  const failure = statuses.find((status) => OUR_FAILURES.includes(status));
  if (failure !== undefined) return `${one.name}: answered ${failure}`;
  if (one.mustEnd && !ended) return `${one.name}: was not cut within ${PATIENCE_MS} ms`;
  if (statuses.length > (one.answersMax ?? 1)) return `${one.name}: got ${statuses.join(", ")}`;
  if (one.first && one.first.length > 0 && first !== undefined && !one.first.includes(first))
    return `${one.name}: answered ${first}, not ${one.first.join(" or ")}`;
  if (first === undefined && !ended && !(one.first?.length === 0))
    return `${one.name}: no answer, and not cut`;
  return null;
}
