// Adds to package-lock.json the optional platform packages that the available registry could not describe. Run it after `npm
// install` when test/lock.test.ts says so: bun test/support/complete-lock.ts

interface Entry {
  version?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, Entry>;
}

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["x64", "arm64", "arm", "ia32", "ppc64", "riscv64", "s390x"];

export function missingOptionalPackages({ packages }: Lock): { name: string; version: string; of: Entry }[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {}).flatMap(([name, version]) => {
      const known = packages[`node_modules/${name}`] ?? packages[`${path}/node_modules/${name}`];
      return known ? [] : [{ name, version, of: entry }];
    }),
  );
}

function platformEntry(name: string, version: string, of: Entry): Entry {
  const words = name.split(/[-/]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  if (!os || !cpu) throw new Error(`The platform of ${name} can't be read from its name.`);
  const musl = words.some((part) => part.startsWith("musl"));
  return {
    version,
    cpu: [cpu],
    ...(of.dev ? { dev: true } : {}),
    ...(os === "linux" ? { libc: [musl ? "musl" : "glibc"] } : {}),
    ...(of.license ? { license: of.license } : {}),
    optional: true,
    os: [os],
  };
}

if (import.meta.main) {
  const file = Bun.file(new URL("../../package-lock.json", import.meta.url));
  const lock = (await file.json()) as Lock;
  const missing = missingOptionalPackages(lock);
  for (const { name, version, of } of missing) {
    lock.packages[`node_modules/${name}`] = platformEntry(name, version, of);
  }
  const byName = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  await Bun.write(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(byName) }, null, 2)}\n`);
  console.log(`${missing.length} added`);
}
