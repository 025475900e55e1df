// The script of these pages: copies, prevents double submission, and starts a stablecoin payment with the key that is typed
// here or kept in the tab.
import type { ErrorBody } from "../../contract/errors.ts";
import { call, keepKey, keyOfTab } from "../shared/api.ts";
import { copyText } from "../shared/copy.ts";
import { showReady } from "../shared/ready-key.ts";

document.addEventListener("click", async (event) => {
  const button = (event.target as Element).closest<HTMLElement>("[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy ?? "");
  if (!text) return;
  if (await copyText(text.textContent ?? "")) button.textContent = "Copied";
  else {
    getSelection()?.selectAllChildren(text);
    button.textContent = "Selected: copy it now";
  }
});

// The console opens with the key just shown.
document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest<HTMLElement>("[data-keep]");
  const text = document.getElementById(link?.dataset.keep ?? "");
  if (text) keepKey(text.textContent);
});

/** The key that this tab has just shown, and its address: reloading that page shows it once more. */
const JUST_SHOWN = "crowdtape-just-shown";
const address = () => location.pathname + location.search;

function keepForReload(shown: HTMLElement): void {
  // Reloading a form's result uses an address of its own, instead of submitting the form again.
  if (shown.dataset.again) history.replaceState(null, "", shown.dataset.again);
  const key = document.getElementById("key")?.textContent ?? "";
  sessionStorage.setItem(JUST_SHOWN, JSON.stringify({ at: address(), key }));
}

function showAgain(hidden: HTMLElement): void {
  const { at, key } = JSON.parse(sessionStorage.getItem(JUST_SHOWN) ?? "{}");
  sessionStorage.removeItem(JUST_SHOWN);
  if (at !== address() || typeof key !== "string") return;
  showReady(hidden, key);
  document.getElementById("old-key")?.remove();
}

const shown = document.getElementById("new-key");
const hidden = document.getElementById("key-again");
try {
  if (shown) keepForReload(shown);
  else if (hidden) showAgain(hidden);
} catch {
  // Without storage a key is shown exactly once.
}

addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented) return;
  // After the browser has read the form: a disabled button's value is not sent.
  setTimeout(() => {
    for (const button of form.elements) if (button instanceof HTMLButtonElement) button.disabled = true;
  });
});
addEventListener("pageshow", (event) => {
  if ((event as PageTransitionEvent).persisted) location.reload();
});

const coin = document.querySelector<HTMLFormElement>("#coin");
if (coin) startPayments(coin);

function startPayments(form: HTMLFormElement): void {
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  const said = form.querySelector("output");
  field("key").value = keyOfTab() ?? "";
  const showAmount = () => {
    const isCredits = field("plan").value === "credits";
    field("amount").disabled = !isCredits;
    const amount = Number(field("amount").value);
    const perUsd = Number(form.dataset.perUsd);
    const gives = form.querySelector("#gives");
    if (gives)
      gives.textContent =
        isCredits && amount > 0
          ? `${(amount * perUsd).toLocaleString("en-US")} credits`
          : "one month, not renewed";
  };
  form.addEventListener("input", showAmount);
  showAmount();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const key = field("key").value.trim();
    const plan = field("plan").value;
    const body = plan === "credits" ? { plan, amount: Number(field("amount").value) } : { plan };
    if (said) said.textContent = "Making the payment…";
    const made = await call("/pay/create", "key", { method: "POST", body, key });
    if (made.status === 201) {
      keepKey(key);
      location.href = `/pay/${encodeURIComponent((made.body as { paymentId: string }).paymentId)}/page`;
      return;
    }
    if (said) said.textContent = (made.body as Partial<ErrorBody>).message ?? "No answer. Try again.";
  });
}
