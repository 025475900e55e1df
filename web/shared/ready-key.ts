// Ready commands that wait for a key: the server writes them with a placeholder, and the page puts in the key of this tab.

/** What stands in a command until the key is known. */
export const KEY_PLACEHOLDER = "YOUR_KEY";

export const readyCommands = (url: string, key: string) => `curl -H "Authorization: Bearer ${key}" \\
  "${url}/v2/me"
npx crowdtape tail --server ${url} --key ${key}`;

/** Puts the key into everything under the element that waits for one, and shows it. */
export function showReady(element: HTMLElement, key: string): void {
  for (const waiting of element.querySelectorAll("[data-ready]"))
    waiting.textContent = (waiting.textContent ?? "").replaceAll(KEY_PLACEHOLDER, key);
  element.hidden = false;
}
