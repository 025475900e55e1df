// What the documents print works on the world that `npm start` serves today, whatever day it was written on: every read of
// docs/api.md as it stands there, and every trader that README.md, the clients' README and their examples name.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { PLACEHOLDERS } from "../contract/examples.ts";
import {
  DEFAULT_WORLD,
  type LiveService,
  START_MS_MAX,
  startLiveService,
} from "../test/support/live-service.ts";

const root = join(import.meta.dir, "..");
const read = (path: string) => Bun.file(join(root, path)).text();
/** What an account has made itself, or an operator has had closed; a world that has just begun has no such thing. */
const OWN = /^\/(pay|v2\/webhooks|v2\/keys|v2\/replays|v2\/follows)\/\w+_|^\/v2\/history\/\w/;

/** A row's handle, a call's, and the one that an example is started with. */
const NAMED =
  /(?:"handle": "|handle: "|handle="|trader: "|trader="|follow[-_]trader\.(?:js|py) |user\("|get_trader\(")([a-z]\w+)/g;

let live: LiveService;
beforeAll(async () => {
  live = await startLiveService({ ...DEFAULT_WORLD, startsAt: Date.now() });
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

test(
  "every read in docs/api.md answers when it is sent as it is printed",
  async () => {
    const printed = [...(await read("docs/api.md")).matchAll(/^GET (\/\S*)$/gm)].map(([, path]) =>
      String(path),
    );
    const reads = printed.filter((path) => !OWN.test(path));
    expect(reads.length).toBeGreaterThan(35);
    const refused: [string, number][] = [];
    for (const path of reads) {
      const { status } = await live.ask(path);
      if (status !== 200) refused.push([path, status]);
    }
    expect(refused).toEqual([]);
  },
  START_MS_MAX,
);

test(
  "every trader and token that the pages name exists",
  async () => {
    const named = new Set<string>([PLACEHOLDERS.handle]);
    for (const page of [
      "README.md",
      "client/README.md",
      "client/examples/follow-trader.js",
      "client/python/examples/follow_trader.py",
    ]) {
      const text = await read(page);
      for (const [, handle] of text.matchAll(NAMED)) named.add(String(handle));
    }
    const missing: string[] = [];
    for (const handle of named)
      if ((await live.ask(`/v2/users/${handle}`)).status !== 200) missing.push(handle);
    expect(missing).toEqual([]);
    expect((await live.ask(`/v2/tokens/search?q=${PLACEHOLDERS.symbol}`)).body).toMatchObject({
      tokens: [{ symbol: PLACEHOLDERS.symbol }],
    });
  },
  START_MS_MAX,
);
