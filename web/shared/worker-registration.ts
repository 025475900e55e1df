// The service worker is registered only for those who enabled notifications or installed the app; it costs others nothing.

/** Whether this browser could register it. */
export async function registerWorker(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.register("/worker.js").catch(() => null);
  return registration != null;
}

/** Installed on a home screen, or in its own window. */
export const isInstalled = (): boolean => matchMedia("(display-mode: standalone)").matches;
