// A browser that can read what is sealed for it, and a push service on loopback that takes messages as a test says.

export interface TestBrowser {
  p256dh: string;
  auth: string;
  decrypt(body: Uint8Array): Promise<string>;
}

const encoded = (text: string) => new TextEncoder().encode(text);

/** Written from the receiver's side of RFC 8291, with nothing of the sender's code. */
export async function openBrowser(): Promise<TestBrowser> {
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const pair = (await crypto.subtle.generateKey(curve, true, ["deriveBits"])) as CryptoKeyPair;
  const own = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const auth = crypto.getRandomValues(new Uint8Array(16));
  const derive = async (from: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number) => {
    const key = await crypto.subtle.importKey("raw", new Uint8Array(from), "HKDF", false, ["deriveBits"]);
    const how = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(salt), info: new Uint8Array(info) };
    return new Uint8Array(await crypto.subtle.deriveBits(how, key, bytes * 8));
  };
  return {
    p256dh: Buffer.from(own).toString("base64url"),
    auth: Buffer.from(auth).toString("base64url"),
    async decrypt(body) {
      const salt = body.slice(0, 16);
      const keyLength = body[20] as number;
      const sender = body.slice(21, 21 + keyLength);
      const theirs = await crypto.subtle.importKey("raw", sender, curve, true, []);
      const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: theirs }, pair.privateKey, 256);
      const info = Buffer.concat([encoded("WebPush: info\0"), own, sender]);
      const keying = await derive(new Uint8Array(shared), auth, info, 32);
      const secret = await derive(keying, salt, encoded("Content-Encoding: aes128gcm\0"), 16);
      const iv = await derive(keying, salt, encoded("Content-Encoding: nonce\0"), 12);
      const key = await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["decrypt"]);
      const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, body.slice(21 + keyLength));
      // The last byte says that no other record follows.
      return Buffer.from(plain).subarray(0, -1).toString();
    },
  };
}

export interface TakenMessage {
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** `behave` decides by the path and by how often it was asked before; 201 unless it says otherwise. */
export function startPushService(
  behave: (path: string, before: number) => Response | undefined | Promise<undefined> = () => undefined,
) {
  const taken: TakenMessage[] = [];
  const counts = new Map<string, number>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const before = counts.get(path) ?? 0;
      counts.set(path, before + 1);
      const message = {
        path,
        headers: Object.fromEntries(request.headers) as Record<string, string>,
        body: new Uint8Array(await request.arrayBuffer()),
      };
      const answer = (await behave(path, before)) ?? new Response(null, { status: 201 });
      if (answer.ok) taken.push(message);
      return answer;
    },
  });
  return {
    url: (path: string) => `http://127.0.0.1:${server.port}${path}`,
    taken,
    asked: (path?: string) =>
      path === undefined ? [...counts.values()].reduce((sum, n) => sum + n, 0) : (counts.get(path) ?? 0),
    stop: () => server.stop(true),
  };
}
