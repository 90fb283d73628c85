import { useState } from 'react';
import classes from './image.module.css';
import { ownImage } from './server-image.ts';

interface ImageProps {
  src: string | undefined;
  /** Source of the initials that replace a missing image. */
  name: string;
  size: number;
  /** Round, as for people. */
  isRound?: boolean;
}

const getInitials = (name: string): string => {
  const [first = '', second = ''] = name.trim().split(/\s+/);
  return (second ? `${[...first][0]}${[...second][0]}` : [...first].slice(0, 2).join('')).toUpperCase();
};

/** Icon or avatar. Decorative, because the name stands beside it. */
export function Image({ src, name, size, isRound }: ImageProps) {
  const source = ownImage(src);
  const [broken, setBroken] = useState<string>();
  return (
    <span
      className={classes.image}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      data-round={isRound || undefined}
      aria-hidden
    >
      {source && source !== broken ? <img src={source} alt="" onError={() => setBroken(source)} /> : getInitials(name)}
    </span>
  );
}
