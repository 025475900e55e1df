// A self-signed certificate for one name, as OpenSSL makes it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programPath } from "./programs.ts";

export interface Certificate {
  key: string;
  cert: string;
}

export function certify(folder: string, name: string): Certificate {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const options = {
    newkey: "ec",
    pkeyopt: "ec_paramgen_curve:prime256v1",
    subj: `/CN=${name}`,
    addext: `subjectAltName=DNS:${name}`,
    keyout: key,
    out: cert,
    days: "2",
  };
  const given = Object.entries(options).flatMap(([option, value]) => [`-${option}`, value]);
  const made = Bun.spawnSync([programPath("openssl"), "req", "-x509", "-nodes", ...given]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}
