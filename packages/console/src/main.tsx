import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import './design/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { prefetchSignedInUser } from './api/account/account.ts';
import { prefetchApps } from './api/apps.ts';
import { queries } from './api/client.ts';
import { ErrorBoundary } from './components/feedback/error-boundary.tsx';
import { LoadFailurePage } from './components/feedback/load-failure.tsx';
import { ToastList } from './components/feedback/toast-list.tsx';
import { loadFont } from './design/load-font.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from './design/theme.ts';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';
import { Navigation, Pages } from './routing/router.tsx';

// Development loads all styles; the build contains only those of used components.
if (import.meta.env.DEV) await import('@mantine/core/styles.layer.css');

loadFont();
void prefetchSignedInUser();
// Prefetches the first page's rows together with the user.
if (window.location.pathname === paths.home && !window.location.search) void prefetchApps();

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
          <ErrorBoundary fallback={LoadFailurePage}>
            <Pages routes={routes} />
          </ErrorBoundary>
        </Navigation>
        <ToastList />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
