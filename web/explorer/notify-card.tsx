/** @jsxImportSource preact */
// Where someone chooses what to be called about. The browser asks for permission at the first choice.
import { useState } from "preact/hooks";
import { Card } from "../shared/bits.tsx";
import {
  CROWD_SIZES,
  keepNotifyChoice,
  type NotifyChoice,
  useNotifyChoice,
} from "../shared/notify-choice.ts";
import { registerWorker } from "../shared/worker-registration.ts";

export function NotifyCard() {
  const choice = useNotifyChoice();
  const [refused, setRefused] = useState("");
  if (choice === null) return null;
  const choose = async (next: NotifyChoice) => {
    if (next.each || next.crowd > 0) {
      if (typeof Notification === "undefined") return setRefused("This browser can't notify.");
      const answer = await Notification.requestPermission();
      if (answer !== "granted")
        return setRefused("Your browser blocks notifications of this site; its settings decide.");
      await registerWorker();
    }
    setRefused("");
    keepNotifyChoice(next);
  };
  return (
    <Card title="Notify me">
      <form class="notify" onSubmit={(event) => event.preventDefault()}>
        <label>
          <input
            type="checkbox"
            checked={choice.each}
            onChange={(event) => void choose({ ...choice, each: event.currentTarget.checked })}
          />{" "}
          of every trade and thesis of traders I follow
        </label>
        <label>
          when{" "}
          <select
            aria-label="How many traders"
            value={String(choice.crowd)}
            onChange={(event) => void choose({ ...choice, crowd: Number(event.currentTarget.value) })}
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
      </form>
      <p class="soft note" role="status">
        {refused || "By this browser, while a page of this site is open in it."}
      </p>
    </Card>
  );
}
