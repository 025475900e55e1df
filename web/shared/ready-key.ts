// Ready-to-run commands: the server renders them with a placeholder, and the page inserts this tab's key.

/** The placeholder in a command until the key is known. */
export const KEY_PLACEHOLDER = "YOUR_KEY";

export const readyCommands = (url: string, key: string) => `curl -H "Authorization: Bearer ${key}" \\
  "${url}/v2/me"
npx crowdtape tail --server ${url} --key ${key}`;

/** Inserts the key into every placeholder under the element, and shows it. */
export function showReady(element: HTMLElement, key: string): void {
  for (const waiting of element.querySelectorAll("[data-ready]"))
    waiting.textContent = (waiting.textContent ?? "").replaceAll(KEY_PLACEHOLDER, key);
  element.hidden = false;
}
