"""Words of the pages: English as it stands in template and script, and its Chinese."""

from collections.abc import Mapping

CHINESE: Mapping[str, str] = {
    "Published results": "已发布结果",
    "Performance": "性能",
    "Accuracy": "准确率",
    "History": "历史",
    "Rows": "数据行",
    "Points": "测试点",
    "Provenance": "来源",
    "Details": "详情",
    "Compared with main": "与主分支比较",
    "Light": "浅色",
    "Dark": "深色",
    "Copy as JSON": "复制为 JSON",
    "Copied": "已复制",
    "Close": "关闭",
    "Show more": "显示更多",
    "all": "全部",
    "points": "个点",
    "model": "模型",
    "hardware": "硬件",
    "framework": "框架",
    "precision": "精度",
    "scenario": "场景",
    "from": "起始日期",
    "to": "截止日期",
    "curve": "曲线",
    "shape": "拓扑",
    "concurrency": "并发数",
    "eval": "评测",
    "score": "得分",
    "threshold": "阈值",
    "tok/s/GPU": "词元/秒/GPU",
    "tok/s/user": "词元/秒/用户",
    "latency s": "延迟（秒）",
    "TTFT s": "首词元时间（秒）",
    "J/token": "焦耳/词元",
    "date": "日期",
    "run": "运行",
    "commit": "提交",
    "node": "节点",
    "point": "测试点",
    "state": "状态",
    "attempt": "尝试",
    "notes": "备注",
    "main": "主分支",
    "new": "本次",
    "change": "变化",
    "95 % interval": "95 % 区间",
    "verdict": "结论",
    "±": "±",
    "Repository": "仓库",
    "Pull request": "拉取请求",
    "Run": "运行",
    "Runs": "运行",
    "Attempt": "尝试",
    "Commit": "提交",
    "Commits": "提交",
    "Merge base": "合并基准",
    "Merge commits": "合并提交",
    "Labels": "标签",
    "Plan digest": "计划摘要",
    "Images": "镜像",
    "Nodes": "节点",
    "Clients": "客户端",
    "Models": "模型",
    "Hardware": "硬件",
    "Measured": "测量时间",
    "Published": "发布时间",
    "better": "变好",
    "worse": "变差",
    "same": "不变",
    "cannot tell": "无法判断",
    "number": "指标",
    "area below the frontier": "前沿下面积",
    "Everything that did not change, or of which nobody can tell": "没有变化或无法判断的全部指标",
    "config keys": "配置键",
    "changelog entry": "变更记录",
    "no evaluations fit": "没有符合条件的评测",
    "Throughput per GPU (tok/s)": "每 GPU 吞吐量（词元/秒）",
    "Interactivity (tok/s per user, median)": "交互性（词元/秒/用户，中位数）",
    "End-to-end latency (s, median)": "端到端延迟（秒，中位数）",
    "Time to first token (s, median)": "首词元时间（秒，中位数）",
    "Energy per output token (J)": "每输出词元能耗（焦耳）",
    "Score (%)": "得分（%）",
    "Lines join the Pareto frontier of each curve; faint dots are beaten by another."
    " Arrow keys walk along a chart.": (
        "线条连接每条曲线的帕累托前沿；淡色的点被其他点超越。方向键可沿图表移动。"
    ),
    "These rows have no latency and no energy: there is nothing to draw.": (
        "这些数据行没有延迟和能耗，无图可绘。"
    ),
    "± is how far its own requests leave the throughput of a run in doubt (95 %)."
    " Runs differ by more than that.": (
        "± 表示一次运行的吞吐量由其自身请求造成的不确定范围（95 %）。不同运行之间的差异更大。"
    ),
    "Bars are scores, ticks the thresholds that they must reach.": "条形为得分，刻度线为必须达到的阈值。",
    "One line for each shape and concurrency; dashed rules are changelog entries, listed below.": (
        "每种拓扑和并发数一条线；虚线为变更记录，列于下方。"
    ),
    "Point at a dot, or choose a row of the table: everything that is known of it stands here.": (
        "将指针移到点上，或选择表格中的一行：其全部信息显示于此。"
    ),
    "Some rows are simulated and say nothing about hardware: those whose client is infx-simulator.": (
        "部分数据行来自模拟器（客户端为 infx-simulator），不代表任何硬件。"
    ),
    "Simulated: these numbers come from a simulator and say nothing about hardware.": (
        "模拟数据：这些数字来自模拟器，不代表任何硬件。"
    ),
}
