// The payment page's script: polls the state, shows it, counts down, copies. Polling slows down when there is no response,
// says so, and stops when the state is final.

import { keyOfTab } from "../shared/api.ts";
import { now } from "../shared/clock.ts";
import { copyText } from "../shared/copy.ts";
import { DATA_ELEMENT } from "../shared/data.ts";
import { KEY_PLACEHOLDER, showReady } from "../shared/ready-key.ts";
import { isPaid, type PayData } from "./states.ts";

interface PaymentState {
  status: string;
  receivedAmount: number | null;
}

const ASK_MS = 2_500;
const ASK_MS_MAX = 30_000;
const PAYABLE = ["awaiting_payment", "underpaid"];

function follow(settings: PayData): void {
  const byId = (id: string) => document.getElementById(id) as HTMLElement;
  const page = byId("pay");
  let waitMs = ASK_MS;
  let heardAt = now();

  const showPaid = () => showReady(byId("ready"), keyOfTab() ?? KEY_PLACEHOLDER);
  const show = (payment: PaymentState) => {
    const state = settings.states[payment.status];
    if (!state) return;
    // The code on the page requests the amount that was missing when the page was rendered.
    if (state.payable && payment.receivedAmount !== settings.receivedAmount) return location.reload();
    page.dataset.status = payment.status;
    byId("title").textContent = state.title;
    byId("text").textContent = state.text;
    byId("scan").hidden = !state.payable;
    byId("due").hidden = !state.payable;
    const coin = document.getElementById("test-coin");
    if (coin) coin.hidden = !state.payable;
    if (isPaid(payment.status)) showPaid();
    byId("received").hidden = payment.receivedAmount === null;
    byId("received").textContent = `Received: ${payment.receivedAmount} ${settings.symbol}`;
  };

  /** An old state is never presented as current. */
  const tellContact = (isHeard: boolean) => {
    byId("contact").hidden = isHeard;
    const seconds = Math.round((now() - heardAt) / 1_000);
    byId("contact").textContent = isHeard
      ? ""
      : `No answer from the server for ${seconds} s; this may be out of date. A payment is found all the same.`;
  };

  const ask = async () => {
    try {
      const answer = await fetch(settings.statePath, {
        headers: { accept: "application/json" },
        cache: "no-store",
      });
      if (!answer.ok) throw new Error(String(answer.status));
      const payment: PaymentState = await answer.json();
      heardAt = now();
      tellContact(true);
      show(payment);
      waitMs = payment.status === "expired" ? ASK_MS_MAX : ASK_MS;
      if (isPaid(payment.status)) return;
    } catch {
      waitMs = Math.min(waitMs * 2, ASK_MS_MAX);
      tellContact(false);
    }
    setTimeout(ask, waitMs);
  };

  const count = () => {
    const left = Math.max(0, Math.ceil((settings.expiresAt - now()) / 1_000));
    const isOpen = PAYABLE.includes(page.dataset.status ?? "") && left > 0;
    const two = (value: number) => String(value).padStart(2, "0");
    const hours = Math.floor(left / 3_600);
    byId("clock").textContent = isOpen
      ? `${hours > 0 ? `${hours}:` : ""}${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`
      : "";
  };

  document.addEventListener("click", async (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-copy]");
    if (!button) return;
    button.textContent = (await copyText(button.dataset.copy ?? "")) ? "Copied" : "Select and copy";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1_500);
  });
  count();
  setInterval(count, 1_000);
  if (isPaid(page.dataset.status ?? "")) showPaid();
  else setTimeout(ask, ASK_MS);
}

const settings = document.getElementById(DATA_ELEMENT);
if (settings) follow(JSON.parse(settings.textContent ?? "{}"));
