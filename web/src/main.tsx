import { render } from 'preact';
import { App } from './app';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';
import './style/diff.css';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
