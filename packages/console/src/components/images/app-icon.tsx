import classes from './app-icon.module.css';
import { Image } from './image.tsx';
import { OsMark } from './os-mark.tsx';

interface AppIconProps {
  app: { icon_url?: string | undefined; display_name: string; os: string };
  size: number;
}

/** App icon with a badge of its operating system. */
export const AppIcon = ({ app, size }: AppIconProps) => (
  <span className={classes.frame} title={app.os}>
    <Image src={app.icon_url} name={app.display_name} size={size} />
    <span className={classes.mark}>
      <OsMark os={app.os} size={Math.max(10, Math.round(size * 0.38))} />
    </span>
  </span>
);
