// Web Push as the site uses it: browsers subscribe, change and unsubscribe. Limits are here; deliveries are in the engine.
import { createHash, createHmac } from "node:crypto";
import { fault } from "../../../contract/errors.ts";
import { PUSH, type PushWish } from "../../../contract/push.ts";
import { freshUuid } from "../../../kit/ids.ts";
import { addressSubject } from "../../access/identity/address.ts";
import { filterFromQuery } from "../../feed/filter-input.ts";
import { type NameDirectory, resolveFilter } from "../../feed/resolve-filter.ts";
import type { LogStore } from "../../store/captured/log.ts";
import { countPushes, endPush, keepPush, nextPushRevision } from "../../store/money/pushes.ts";
import { sharedSecret } from "../../store/money/shared-secret.ts";
import { createPost, type PostParts } from "../post.ts";
import { readTarget, type Targets } from "../target.ts";
import type { StoredWish } from "./browser.ts";
import { readBrowserKey } from "./encrypt.ts";
import { createPushEngine, type PushEngineParts } from "./engine.ts";

export interface PushParts extends Omit<PushEngineParts, "post"> {
  logStore: Pick<LogStore, "head">;
  directory: NameDirectory;
  targets: Targets;
  /** For tests: how names are resolved, and which certificates to trust in addition to the system's. */
  network?: Pick<PostParts, "resolve" | "ca">;
}

const TIMEOUT_MS = 10_000;

const idOf = (endpoint: string) => createHash("sha256").update(endpoint).digest("hex");

export function createPush(parts: PushParts) {
  const { database, clock, targets, directory, chains, vapid } = parts;
  const post = createPost({ ...parts.network, targets, clock, timeoutMs: TIMEOUT_MS });
  const engine = createPushEngine({ ...parts, post });
  let kept: Promise<string> | null = null;
  const secret = () => {
    kept ??= sharedSecret(database, "push-subject", { value: freshUuid() + freshUuid(), at: clock.now() });
    return kept;
  };
  /** Enough to count an address's browsers, and not to know it. */
  const subjectOf = async (address: string) =>
    createHmac("sha256", await secret())
      .update(addressSubject(address))
      .digest("base64url");

  const formsOf = async (field: "trader" | "token", names: readonly string[]) => {
    if (names.length === 0) return [];
    const written = filterFromQuery("alerts", { [field]: names.join(",") }, chains);
    const { filter } = await resolveFilter(written, directory);
    return [...(field === "trader" ? filter.traders : filter.tokens)];
  };

  return {
    publicKey: vapid.publicKey,
    start: engine.start,
    stop: engine.stop,
    async subscribe(wish: PushWish, address: string): Promise<void> {
      const { endpoint, p256dh, auth, each, crowd } = wish;
      readTarget(endpoint, targets);
      await readBrowserKey(p256dh).catch(() => {
        throw fault("invalid_body", "p256dh is not a public key of a browser.", { param: "p256dh" });
      });
      const stored: StoredWish = {
        traders: await formsOf("trader", wish.traders),
        tokens: await formsOf("token", wish.tokens),
        each,
        crowd,
      };
      const [{ epoch, seq: position }, subject] = await Promise.all([
        parts.logStore.head(),
        subjectOf(address),
      ]);
      const row = {
        id: idOf(endpoint),
        endpoint,
        p256dh,
        auth,
        serverKey: vapid.publicKey,
        subject,
        wish: JSON.stringify(stored),
        epoch,
        position,
        renewedAt: clock.now(),
      };
      await database.write(async (tx) => {
        // First, so that two at once are counted one after the other.
        const revision = await nextPushRevision(tx);
        const { all, own } = await countPushes(tx, row);
        if (own >= PUSH.perAddressMax)
          throw fault(
            "rate_limited",
            `At most ${PUSH.perAddressMax} browsers per address are notified. Remove one of the others.`,
          );
        if (all >= PUSH.subscriptionsMax)
          throw fault(
            "unavailable",
            "This server has reached its limit of browsers to notify. Try again later.",
          );
        await keepPush(tx, { ...row, revision });
      });
      engine.wake();
    },
    async unsubscribe(endpoint: string): Promise<void> {
      await database.write((tx) => endPush(tx, idOf(endpoint), clock.now()));
    },
  };
}
