import { Navigate, useLocation, useParams } from 'react-router';
import { useApp } from '../../api/apps.ts';
import { AreaPages } from '../../parts/area.tsx';
import { GoOn } from '../../parts/go-on.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { AppContext, appHere } from '../../parts/may.ts';
import { appPath, installPath } from '../../paths.ts';

/** The pages of one app. */
export function AppArea() {
  const { owner = '', app: name = '' } = useParams();
  const { pathname, search } = useLocation();
  const reading = useApp({ owner_name: owner, app_name: name });
  return (
    <Loaded reading={reading} isPage>
      {(app) => {
        // Former names and other spellings are read too; the address then says what is right.
        const segments = pathname.split('/');
        const right = [appPath(app), ...segments.slice(5)].join('/');
        if (segments.slice(0, 5).join('/') !== appPath(app)) return <Navigate to={right + search} replace />;
        const here = appHere(app);
        // The overview has nothing for users who can only install the app.
        if (here.permission === 'tester' && pathname === appPath(app)) return <GoOn to={installPath(app)} />;
        return (
          <AppContext value={here}>
            <AreaPages />
          </AppContext>
        );
      }}
    </Loaded>
  );
}
