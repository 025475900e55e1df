// The payment page's own script: asks for the state, shows it, counts down, copies. Asking slows down when the answer
// does not come, and ends when nothing more can happen.

export interface ClientSettings {
  statePath: string;
  states: Record<string, { title: string; text: string; payable: boolean }>;
  symbol: string;
  expiresAt: number;
  receivedAmount: number | null;
}

const SCRIPT = `
const byId = (id) => document.getElementById(id);
const ASK_MS = 2500, ASK_MOST_MS = 30000, DONE = ["credited", "overpaid", "late"];
let waitMs = ASK_MS;
const show = (payment) => {
  const state = settings.states[payment.status];
  if (!state) return;
  // The code on the page asks for what was missing when it was made.
  if (state.payable && payment.receivedAmount !== settings.receivedAmount) return location.reload();
  document.body.dataset.status = payment.status;
  byId("title").textContent = state.title;
  byId("text").textContent = state.text;
  byId("scan").hidden = !state.payable;
  byId("received").hidden = payment.receivedAmount === null;
  byId("received").textContent = "Received: " + payment.receivedAmount + " " + settings.symbol;
};
const ask = async () => {
  try {
    const answer = await fetch(settings.statePath, { headers: { accept: "application/json" }, cache: "no-store" });
    if (!answer.ok) throw new Error();
    const payment = await answer.json();
    show(payment);
    waitMs = payment.status === "expired" ? ASK_MOST_MS : ASK_MS;
    if (DONE.includes(payment.status)) return;
  } catch {
    waitMs = Math.min(waitMs * 2, ASK_MOST_MS);
  }
  setTimeout(ask, waitMs);
};
const count = () => {
  const left = Math.max(0, Math.ceil((settings.expiresAt - Date.now()) / 1000));
  const open = ["awaiting_payment", "underpaid"].includes(document.body.dataset.status);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(left / 3600);
  byId("clock").textContent = open && left > 0 ? (hours ? hours + ":" : "") + two(Math.floor(left / 60) % 60) + ":" + two(left % 60) : "";
};
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(button.previousElementSibling);
    button.textContent = "Selected";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});
count();
setInterval(count, 1000);
if (!DONE.includes(document.body.dataset.status)) setTimeout(ask, ASK_MS);
`;

export function client(settings: ClientSettings): string {
  // Inside a script element the only way out is "</": no "<" survives.
  const data = JSON.stringify(settings).replaceAll("<", "\\u003c");
  return `(() => {\nconst settings = ${data};${SCRIPT}})();`;
}
