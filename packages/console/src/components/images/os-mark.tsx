import {
  IconBox,
  IconBrandAndroid,
  IconBrandApple,
  IconBrandWindows,
  IconDeviceDesktop,
  IconDeviceTv,
  IconDeviceWatch,
  IconTerminal2,
  type TablerIcon,
} from '@tabler/icons-react';

const icons: Record<string, TablerIcon> = {
  Android: IconBrandAndroid,
  iOS: IconBrandApple,
  macOS: IconDeviceDesktop,
  tvOS: IconDeviceTv,
  Tizen: IconDeviceWatch,
  Windows: IconBrandWindows,
  Linux: IconTerminal2,
};

/** Operating system symbol. Decorative, because its name stands beside it. */
export function OsMark({ os, size }: { os: string; size: number }) {
  const Icon = icons[os] ?? IconBox;
  return <Icon size={size} aria-hidden />;
}
