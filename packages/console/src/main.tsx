import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import './design/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askWhoIsSignedIn } from './api/account.ts';
import { askForApps } from './api/apps.ts';
import { queries } from './api/client.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from './design/theme.ts';
import { Broken } from './parts/broken.tsx';
import { Catch } from './parts/catch.tsx';
import { Navigation, Pages } from './parts/pages.tsx';
import { ToastList } from './parts/toast-list.tsx';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';

// The build takes the styles of the parts that are used, each with its part.
if (import.meta.env.DEV) await import('@mantine/core/styles.layer.css');

void askWhoIsSignedIn();
// The rows of the first page come with that answer, not once its frame is drawn.
if (window.location.pathname === paths.home && !window.location.search) void askForApps();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      deduplicateCssVariables={false}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queries}>
        <Navigation>
          <Catch fallback={Broken}>
            <Pages routes={routes} />
          </Catch>
        </Navigation>
        <ToastList />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
