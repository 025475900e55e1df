// The service worker is for those who notify themselves or have installed the app; nobody else pays for it.

/** Whether this browser has it. */
export async function registerWorker(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.register("/worker.js").catch(() => null);
  return registration != null;
}

/** Installed on a home screen, or in a window of its own. */
export const isInstalled = (): boolean => matchMedia("(display-mode: standalone)").matches;
