import { Navigate, useLocation, useParams } from 'react-router';
import { useApp } from '../../api/apps.ts';
import { AreaFrame } from '../../parts/area.tsx';
import { inWords } from '../../parts/choice.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { AppContext, appHere } from '../../parts/may.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { app as area } from '../../sections.ts';

/** The pages of one app. */
export function AppArea() {
  const { owner = '', app: name = '' } = useParams();
  const { pathname, search } = useLocation();
  const reading = useApp({ owner_name: owner, app_name: name });
  return (
    <Loaded reading={reading} isPage>
      {(app) => {
        const here = appHere(app);
        // Former names and other spellings are read too; the address then says what is right.
        const rest = pathname.split('/').slice(5).join('/');
        const right = rest ? `${here.base}/${rest}` : here.base;
        if (pathname.split('/').slice(0, 5).join('/') !== here.base) return <Navigate to={right + search} replace />;
        const parent =
          app.owner.type === 'org'
            ? { to: `/orgs/${app.owner.name}`, label: app.owner.display_name }
            : { to: `/?owner=${encodeURIComponent(app.owner.name)}`, label: app.owner.display_name };
        return (
          <AppContext value={here}>
            <AreaFrame
              area={area}
              base={here.base}
              caller={`app:${here.permission}`}
              header={
                <PageHeader
                  parent={parent}
                  name={app.display_name}
                  image={app.icon_url}
                  facts={[app.os, inWords(here.permission)]}
                />
              }
            />
          </AppContext>
        );
      }}
    </Loaded>
  );
}
