// Picture paths, relative to whichever server shows them, so that they load on any host.

export function avatarPath(userId: string): string {
  return `/images/avatar/${userId}.svg`;
}

export function tokenImagePath(chain: string, address: string): string {
  return `/images/token/${chain}/${address}.svg`;
}
