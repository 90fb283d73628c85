const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/;

/** Whether other devices, such as phones, can open a URL: addresses of this machine alone lead them to themselves. */
export function isReachable(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return !/^https?:$/.test(protocol) || !loopback.test(hostname);
}
