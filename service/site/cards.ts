// Cards: preview pictures of shared links, drawn here from answers of the public routes. A card is cached for a minute;
// after that it is redrawn only if a figure on it changed.
import { fault } from "../../contract/errors.ts";
import type { Clock } from "../../kit/clock.ts";
import { createLru } from "../../kit/lru.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";
import { inTurns } from "../../kit/slices.ts";
import { queryOf } from "../../kit/target.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { drawCard } from "../../web/cards/card.ts";
import { pngOf } from "../../web/cards/png.ts";
import { CARD_SUBJECTS, type CardSubject } from "../../web/cards/subjects.ts";
import type { Loaded } from "../../web/shared/data.ts";
import { didNotFinish } from "../api/live.ts";
import type { SitePage } from "../api/page.ts";
import type { PagePace } from "./page-pace.ts";

const FRESH_MS = MINUTE_MS;
/** All cached pictures together; one is about 70 KB. */
const KEPT_BYTES_MAX = 16 * 1_024 * 1_024;
const QUERY_VALUE_MAX = 40;
const CACHE_SECONDS = 300;

export interface CardsParts {
  load(path: string, address: string): Promise<Loaded>;
  pace: PagePace;
  isSimulated: () => boolean;
  clock: Clock;
}

interface KeptCard {
  png: Uint8Array<ArrayBuffer>;
  etag: string;
  /** When the figures were read. */
  at: number;
}

export function createCards({ load, pace, isSimulated, clock }: CardsParts): Record<string, SitePage> {
  const kept = createLru<string, KeptCard>(KEPT_BYTES_MAX, ({ png }) => png.length);
  const making = createSingleFlight();

  const make = async (subject: CardSubject, key: string, calls: string[], address: string) => {
    const answers = await Promise.all(calls.map((path) => load(path, address)));
    const [first] = answers;
    if (first?.status !== 200) throw refusalOf(first);
    const bodies = answers.map(({ status, body }) => (status === 200 ? body : null));
    // Rounded to the minute, so that only a changed figure changes the picture.
    const now = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    const card = subject.card(bodies, { now, isSimulated: isSimulated() });
    card.at = Math.floor(card.at / MINUTE_MS) * MINUTE_MS;
    const etag = `"${Bun.hash(JSON.stringify(card)).toString(36)}"`;
    const before = kept.get(key);
    const png = before?.etag === etag ? before.png : await pngOf(await inTurns(drawCard(card)));
    const made: KeptCard = { png, etag, at: clock.now() };
    kept.set(key, made);
    return made;
  };

  const pageOf = (subject: CardSubject): SitePage => ({
    GET: async (request, address) => {
      const { file = "", ...others } = request.params ?? {};
      if (!file.endsWith(".png")) throw fault("not_found", "There is no such card.");
      const query = Object.fromEntries(
        [...queryOf(request.url)].filter(([, value]) => value.length <= QUERY_VALUE_MAX),
      );
      const calls = subject.calls({ ...others, file: file.slice(0, -".png".length) }, query);
      const key = `${subject.path} ${calls.join(" ")}`;
      const known = kept.get(key);
      if (known && clock.now() - known.at < FRESH_MS) return sent(request, known);
      await pace(address);
      return sent(request, await making.run(key, () => make(subject, key, calls, address)));
    },
  });
  return Object.fromEntries(CARD_SUBJECTS.map((subject) => [subject.path, pageOf(subject)]));
}

function refusalOf(answer: Loaded | undefined) {
  if (answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429)
    return fault("not_found", "There is nothing by that name to draw a card of.");
  return didNotFinish("the card's figures");
}

function sent(request: Request, { png, etag }: KeptCard): Response {
  const headers = {
    "content-type": "image/png",
    "cache-control": `public, max-age=${CACHE_SECONDS}`,
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
    etag,
  };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(png, { headers });
}
