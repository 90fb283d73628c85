import { Stack, Text } from '@mantine/core';
import { qrCode, qrPath } from '@mooring/contract';
import { useMemo } from 'react';
import { isReachable } from './reachable.ts';

/** QR code of a URL: dark on white in both schemes, for scanners. Warns of URLs that phones can't open. */
export function QrImage({ value, label, size = 132 }: { value: string; label: string; size?: number }) {
  const drawn = useMemo(() => qrPath(qrCode(value)), [value]);
  const code = (
    <svg width={size} height={size} viewBox={`0 0 ${drawn.size} ${drawn.size}`} role="img" aria-label={label}>
      <rect width={drawn.size} height={drawn.size} fill="#fff" />
      <path d={drawn.path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
  if (isReachable(value)) return code;
  return (
    <Stack gap={4} maw={Math.max(size, 220)}>
      {code}
      <Unreachable host={new URL(value).hostname} />
    </Stack>
  );
}

/** How to make links and QR codes work on phones. */
export const Unreachable = ({ host }: { host: string }) => (
  <Text size="xs" role="note">
    Phones can't reach {host}. Set MOORING_PUBLIC_URL to an address that they can reach, and open the console there.
  </Text>
);
