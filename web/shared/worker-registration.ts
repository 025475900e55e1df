// The service worker is for those who notify themselves or have installed the app; nobody else pays for it.

export async function registerWorker(): Promise<void> {
  await navigator.serviceWorker?.register("/worker.js").catch(() => {});
}

/** Installed on a home screen, or in a window of its own. */
export const isInstalled = (): boolean => matchMedia("(display-mode: standalone)").matches;
