"""A first network trained from start to end, in batches of which the last is smaller."""

import torch

nn, data = torch.nn, torch.utils.data

x = torch.linspace(-1, 1, 10).reshape(10, 1)
dataset = data.TensorDataset(x, x * x)
net = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
with torch.no_grad():
    for parameter in net.parameters():
        steps = torch.arange(parameter.numel()).reshape(parameter.shape)
        parameter.copy_(torch.sin(steps + 1.0))
for optimizer in (
    torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5),
    torch.optim.Adam(net.parameters(), lr=0.01),
):
    for epoch in range(3):
        total = 0.0
        for batch, target in data.DataLoader(dataset, batch_size=4):
            optimizer.zero_grad()
            loss = ((net(batch) - target) ** 2).mean()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            total += loss.item() * len(batch)
        print(f"{type(optimizer).__name__} epoch {epoch}: {total / len(dataset):.5f}")
net.eval()
with torch.no_grad():
    print(net(x).flatten())
print([parameter._version for parameter in net.parameters()])
