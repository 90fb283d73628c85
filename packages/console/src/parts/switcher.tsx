import { Link } from 'react-router';
import { appPath, pathTo } from '../paths.ts';
import { AppIcon } from './app-icon.tsx';
import { Image } from './image.tsx';
import { openGroups, trailOf, usePlace } from './place.ts';
import classes from './switcher.module.css';

/** Where the reader is: organization, app and section, each a way back to it. */
export function Switcher() {
  const place = usePlace();
  const { area, app, org } = place;
  return (
    <nav aria-label="Where you are" className={classes.frame}>
      <ol className={classes.trail}>
        {org && (
          <li>
            <Link to={pathTo('org', { org: org.name })} className={classes.link}>
              <Image address={org.avatar_url} name={org.display_name} size={20} />
              {org.display_name}
            </Link>
          </li>
        )}
        {app && (
          <li>
            <Link to={appPath(app)} className={classes.link}>
              <AppIcon app={app} size={20} />
              {app.display_name}
            </Link>
          </li>
        )}
        {!org && !app && (
          <li>
            <Link to={openGroups(place)[0]?.sections[0]?.to ?? ''} className={classes.link}>
              {area.label}
            </Link>
          </li>
        )}
        {trailOf(place).map(({ to, label }) => (
          <li key={label}>
            {place.isBelow ? (
              <Link to={to} className={classes.link}>
                {label}
              </Link>
            ) : (
              <span className={classes.place}>{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
