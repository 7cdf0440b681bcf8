/** Selectors for the private classes of Ant Design that code depends on. An update of it may rename them. */
export const openDialog = '.ant-modal-wrap:not([style*="display: none"])'
export const dialogClose = '.ant-modal-close'
export const dialogFooter = '.ant-modal-footer'
export const busyButton = '.ant-btn-loading'
export const popups = '.ant-select-dropdown, .ant-picker-dropdown'
export const tabsInView = '.ant-tabs-nav-list'
