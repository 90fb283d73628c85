import '@fontsource-variable/geist';
