import '@mantine/core/styles.css';
import './design/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { queries } from './api/client.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from './design/theme.ts';
import { ToastList } from './parts/toast-list.tsx';
import { routes } from './routes.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={createBrowserRouter(routes)} />
        <ToastList />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
