// `crowdtape push keys`: generates the settings for Web Push.
import { makeVapidKeys } from "../../kit/vapid-keys.ts";

export function makeKeys(): void {
  const { publicKey, privateKey } = makeVapidKeys();
  console.log(`VAPID_PUBLIC_KEY=${publicKey}
VAPID_PRIVATE_KEY=${privateKey}
VAPID_SUBJECT=mailto:you@example.com`);
}
