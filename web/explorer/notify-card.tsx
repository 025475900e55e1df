/** @jsxImportSource preact */
// The card for choosing notifications and how they arrive. The browser asks for permission at the first choice.
import { useState } from "preact/hooks";
import { Card } from "../shared/bits.tsx";
import {
  CROWD_SIZES,
  keepNotifyChoice,
  type NotifyChoice,
  notifyChoice,
  useNotifyChoice,
} from "../shared/notify-choice.ts";
import { usePage } from "../shared/query.tsx";
import type { Watchlist } from "../shared/watchlist.ts";
import { registerWorker } from "../shared/worker-registration.ts";
import { canPush, endPush, keepPush } from "./push.ts";

const BLOCKED = "Your browser blocks notifications of this site; its settings decide.";

/** The outcome of a choice: the one to store, and a message about it. */
async function settled(
  next: NotifyChoice,
  list: Watchlist,
  pushKey: string | null,
): Promise<[NotifyChoice, string]> {
  const isAny = next.each || next.crowd > 0 || (next.push && next.tokens);
  if (!isAny || !next.push || pushKey === null) await endPush().catch(() => {});
  if (!isAny) return [next, ""];
  if (typeof Notification === "undefined")
    return [{ ...next, each: false, crowd: 0 }, "This browser can't notify."];
  if ((await Notification.requestPermission()) !== "granted")
    return [{ ...next, each: false, crowd: 0 }, BLOCKED];
  await registerWorker();
  if (!next.push || pushKey === null) return [next, ""];
  const refused = await keepPush(pushKey, list, next);
  return refused === null ? [next, ""] : [{ ...next, push: false }, refused];
}

/** Choices are settled one after another: a slow one would otherwise undo a later one. */
let lastChoice: Promise<unknown> = Promise.resolve();

export function NotifyCard({ list }: { list: Watchlist }) {
  const stored = useNotifyChoice();
  const { pushKey = null } = usePage();
  const [refused, setRefused] = useState("");
  // Chosen but not settled yet.
  const [wished, setWished] = useState<Partial<NotifyChoice>>({});
  if (stored === null) return null;
  const choice = { ...stored, ...wished };
  const choose = (change: Partial<NotifyChoice>) => {
    const settle = async () => {
      try {
        const [kept, words] = await settled({ ...notifyChoice(), ...change }, list, pushKey);
        setRefused(words);
        keepNotifyChoice(kept);
      } finally {
        if (lastChoice === own) setWished({});
      }
    };
    setWished((before) => ({ ...before, ...change }));
    const own = lastChoice.then(settle, settle);
    lastChoice = own;
  };
  const isPushed = stored.push && pushKey !== null;
  const check = (name: "each" | "push" | "tokens", words: string) => (
    <label>
      <input
        type="checkbox"
        checked={choice[name]}
        onChange={(event) => choose({ [name]: event.currentTarget.checked })}
      />{" "}
      {words}
    </label>
  );
  return (
    <Card title="Notify me">
      <form class="notify" onSubmit={(event) => event.preventDefault()}>
        {check("each", "of every trade and thesis of traders I follow")}
        <label>
          when{" "}
          <select
            aria-label="How many traders"
            value={String(choice.crowd)}
            onChange={(event) => choose({ crowd: Number(event.currentTarget.value) })}
          >
            <option value="0">never</option>
            {CROWD_SIZES.map((size) => (
              <option key={size} value={size}>
                {size} or more
              </option>
            ))}
          </select>{" "}
          of them buy the same token within 10 minutes
        </label>
        {pushKey !== null && canPush() ? check("push", "also while no page of this site is open") : null}
        {isPushed ? check("tokens", "of every trade and thesis in tokens I follow") : null}
      </form>
      <p class="soft note" role="status">
        {refused || (isPushed ? PUSHED_WORDS : "By this browser, while a page of this site is open in it.")}
      </p>
    </Card>
  );
}

const PUSHED_WORDS = "By this browser's push service. This server keeps your list until you turn it off.";
